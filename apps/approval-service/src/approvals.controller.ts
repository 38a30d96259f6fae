import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { decisionRequestSchema, type Approval } from '@writ/contracts';
import { ApprovalDesk, ApprovalLists, isRefused, type Listed } from '@writ/runtime';
import { ProblemError, readRequest } from '@writ/service';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { nobody } from './nobody';
import { approvalsQuerySchema } from './queries';

@Controller('v1')
export class ApprovalsController {
  constructor(
    private readonly desk: ApprovalDesk,
    private readonly lists: ApprovalLists,
  ) {}

  @Get('approvals')
  approvals(@Query() query: unknown): Promise<Listed<Approval>> {
    return this.lists.approvals(readRequest(approvalsQuerySchema, query));
  }

  @Post('approvals/:callId/decision')
  async decide(
    @Param('callId') callId: string,
    @Req() request: IncomingMessage & { readonly body: unknown },
    @Res() response: ServerResponse,
  ): Promise<void> {
    const body = readRequest(decisionRequestSchema, request.body);
    const decided = await this.desk.decide(callId, body, nobody);
    if (isRefused(decided)) throw new ProblemError(decided.refused, decided.detail, decided.extra);
    response.once('finish', () => this.desk.answered(decided));
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(decided.response));
  }
}
