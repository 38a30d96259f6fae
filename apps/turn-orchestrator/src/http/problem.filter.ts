import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { problem, problemOf, sendProblem } from '@writ/service';
import type { Log } from '@writ/runtime';
import type { ServerResponse } from 'node:http';

/** Seconds after which a session with open calls is worth another try: an owner looks at them more often than that. */
const retryAfterS = '1';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    const known = problemOf(thrown);
    if (known === undefined)
      this.log.error('request_failed', {
        error: thrown instanceof Error ? (thrown.stack ?? thrown.name) : typeof thrown,
      });
    if (response.headersSent) return void response.destroy();
    const body = known ?? problem('internal_error', 'something went wrong here; the log says what');
    sendProblem(response, body, body.code === 'earlier_calls_open' ? { 'retry-after': retryAfterS } : {});
  }
}
