import { Controller, Get, Query } from '@nestjs/common';
import type { Approval, InDoubtItem } from '@writ/contracts';
import { readRequest } from '@writ/service';
import { Desk } from './desk';
import { approvalsQuerySchema, pageQuerySchema } from './queries';

@Controller('v1')
export class ApprovalsController {
  constructor(private readonly desk: Desk) {}

  @Get('approvals')
  approvals(@Query() query: unknown): Promise<{ items: Approval[]; next?: string }> {
    return this.desk.pending(readRequest(approvalsQuerySchema, query));
  }

  @Get('in-doubt')
  inDoubt(@Query() query: unknown): Promise<{ items: InDoubtItem[]; next?: string }> {
    return this.desk.inDoubt(readRequest(pageQuerySchema, query));
  }
}
