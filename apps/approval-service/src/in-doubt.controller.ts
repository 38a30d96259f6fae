import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { resolutionRequestSchema, type InDoubtItem, type ResolutionResponse } from '@writ/contracts';
import { ApprovalLists, DoubtDesk, isRefused, type Listed } from '@writ/runtime';
import { ProblemError, readRequest } from '@writ/service';
import { nobody } from './nobody';
import { pageQuerySchema } from './queries';

@Controller('v1/in-doubt')
export class InDoubtController {
  constructor(
    private readonly doubts: DoubtDesk,
    private readonly lists: ApprovalLists,
  ) {}

  @Get()
  inDoubt(@Query() query: unknown): Promise<Listed<InDoubtItem>> {
    return this.lists.inDoubt(readRequest(pageQuerySchema, query));
  }

  @Post(':callId/resolution')
  @HttpCode(200)
  async resolve(@Param('callId') callId: string, @Body() body: unknown): Promise<ResolutionResponse> {
    const request = readRequest(resolutionRequestSchema, body);
    const resolved = await this.doubts.resolve(callId, request, nobody);
    if (isRefused(resolved)) throw new ProblemError(resolved.refused, resolved.detail, resolved.extra);
    return resolved;
  }
}
