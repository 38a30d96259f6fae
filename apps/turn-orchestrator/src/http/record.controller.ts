import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { positionSchema } from '@writ/contracts';
import { readRequest } from '@writ/service';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Desk } from '../desk';
import { answered, pathId } from './answer';
import { transcriptQuerySchema } from './queries';
import { sendJson } from './send-json';
import { streamEvents } from './stream-events';

/** What is on record: the transcript and the events themselves. */
@Controller('v1/sessions/:id')
export class RecordController {
  constructor(private readonly desk: Desk) {}

  @Get('transcript')
  async transcript(
    @Param('id') id: string,
    @Query() query: unknown,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const { text } = answered(
      await this.desk.transcript(pathId(id), readRequest(transcriptQuerySchema, query)),
    );
    sendJson(response, 200, text);
  }

  @Get('events')
  async events(
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const after = readRequest(positionSchema.optional(), request.headers['last-event-id'], 'Last-Event-ID');
    answered(await this.desk.sessions.memoryOf(pathId(id)));
    streamEvents(
      { store: this.desk.store, sessionId: id, ...(after === undefined ? {} : { after }) },
      request,
      response,
    );
  }
}
