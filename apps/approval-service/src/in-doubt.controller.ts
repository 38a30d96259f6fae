import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { resolutionRequestSchema, type InDoubtItem, type ResolutionResponse } from '@writ/contracts';
import { isRefused } from '@writ/runtime';
import { ProblemError, readRequest } from '@writ/service';
import { DoubtDesk } from './doubt-desk';
import { Lists, type Listed } from './lists';
import { pageQuerySchema } from './queries';

@Controller('v1/in-doubt')
export class InDoubtController {
  constructor(
    private readonly doubts: DoubtDesk,
    private readonly lists: Lists,
  ) {}

  @Get()
  inDoubt(@Query() query: unknown): Promise<Listed<InDoubtItem>> {
    return this.lists.inDoubt(readRequest(pageQuerySchema, query));
  }

  @Post(':callId/resolution')
  @HttpCode(200)
  async resolve(@Param('callId') callId: string, @Body() body: unknown): Promise<ResolutionResponse> {
    const resolved = await this.doubts.resolve(callId, readRequest(resolutionRequestSchema, body));
    if (isRefused(resolved)) throw new ProblemError(resolved.refused, resolved.detail, resolved.extra);
    return resolved;
  }
}
