import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { openSessionRequestSchema, type SessionItem, type ToolTable } from '@writ/contracts';
import { readRequest } from '@writ/service';
import { Desk } from '../desk';
import { answered, pathId } from './answer';
import { listQuerySchema } from './queries';

@Controller('v1/sessions')
export class SessionsController {
  constructor(private readonly desk: Desk) {}

  @Post()
  async open(@Body() body: unknown): Promise<{ sessionId: string }> {
    return answered(await this.desk.openSession(readRequest(openSessionRequestSchema, body ?? {})));
  }

  @Get()
  list(@Query() query: unknown): { items: SessionItem[]; next?: string } {
    return this.desk.listSessions(readRequest(listQuerySchema, query));
  }

  @Post(':id/interrupt')
  @HttpCode(202)
  async interrupt(@Param('id') id: string): Promise<object> {
    return answered(await this.desk.sessions.interrupt(pathId(id)));
  }

  @Get(':id/tools')
  async tools(@Param('id') id: string): Promise<ToolTable> {
    return answered(await this.desk.toolTable(pathId(id)));
  }
}
