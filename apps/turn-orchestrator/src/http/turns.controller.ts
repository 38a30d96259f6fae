import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idempotencyKeySchema, startTurnRequestSchema, type Turn } from '@writ/contracts';
import { readRequest } from '@writ/service';
import type { ServerResponse } from 'node:http';
import { Desk } from '../desk';
import { answered, pathId } from './answer';
import { startQuerySchema } from './queries';
import type { HttpRequest } from './request';
import { sendJson } from './send-json';

@Controller('v1/sessions/:id/turns')
export class TurnsController {
  constructor(private readonly desk: Desk) {}

  @Post()
  async start(
    @Param('id') id: string,
    @Req() request: HttpRequest,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const { wait } = readRequest(startQuerySchema, request.query);
    const key = readRequest(
      idempotencyKeySchema.optional(),
      request.headers['idempotency-key'],
      'Idempotency-Key',
    );
    const body = readRequest(startTurnRequestSchema, request.body);
    const started = answered(await this.desk.sessions.startTurn(pathId(id), body, key));
    if (wait !== 'true') return sendJson(response, 202, started);
    const ended = await this.desk.sessions.ended(id, started.turnId, goneSignal(request));
    if (ended !== undefined) sendJson(response, 200, answered(ended));
  }

  @Get(':turnId')
  async turn(@Param('id') id: string, @Param('turnId') turnId: string): Promise<Turn> {
    return answered(await this.desk.sessions.turn(pathId(id), pathId(turnId)));
  }
}

/** Aborts when the caller has gone away; the turn goes on without it. */
function goneSignal(request: HttpRequest): AbortSignal {
  const gone = new AbortController();
  request.socket.once('close', () => gone.abort());
  return gone.signal;
}
