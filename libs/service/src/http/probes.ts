import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readiness } from '@writ/contracts';
import { serviceLimits } from '../limits';
import type { Metrics } from '../metrics';
import { problem, sendProblem } from './problem';

/** Works in any server: express hands over the same two objects. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ProbeSources {
  /** `ok`, or what is missing in a few words, for each check. */
  readonly readiness: () => Readiness['checks'] | Promise<Readiness['checks']>;
  readonly metrics: Metrics;
  /** The document that `openapi` makes. */
  readonly openapi: object;
  /** How long `readiness` may take, in milliseconds. */
  readonly timeoutMs?: number;
}

export interface Probes {
  readonly livez: HttpHandler;
  readonly readyz: HttpHandler;
  readonly metrics: HttpHandler;
  readonly openapi: HttpHandler;
}

/** What every service answers beside its own interface: `/livez`, `/readyz`, `/metrics`, `/openapi.json`. */
export function probes({ readiness, metrics, openapi, timeoutMs }: ProbeSources): Probes {
  const patience = timeoutMs ?? serviceLimits.readinessMs;
  const document = JSON.stringify(openapi);
  return {
    livez: (_request, response) => send(response, '{"status":"ok"}'),
    readyz: (_request, response) => {
      void checkWithin(readiness, patience).then((checks) => {
        const isReady = Object.values(checks).every((check) => check === 'ok');
        send(response, JSON.stringify({ checks }), { status: isReady ? 200 : 503 });
      });
    },
    metrics: (_request, response) => {
      metrics.read().then(
        (text) => send(response, text, { type: metrics.contentType }),
        () => sendProblem(response, problem('internal_error', 'The metrics cannot be read.')),
      );
    },
    openapi: (_request, response) => send(response, document),
  };
}

/** A check that throws or hangs is a check that failed: whoever asks must get an answer. */
async function checkWithin(
  readiness: ProbeSources['readiness'],
  patienceMs: number,
): Promise<Readiness['checks']> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Readiness['checks']>((resolve) => {
    timer = setTimeout(() => resolve(all(`no answer within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(readiness), tooLate]);
  } catch {
    return all('the check failed');
  } finally {
    clearTimeout(timer);
  }
}

function all(missing: string): Readiness['checks'] {
  return { store: missing, broker: missing, lease: missing };
}

function send(
  response: ServerResponse,
  body: string,
  { status = 200, type = 'application/json' }: { readonly status?: number; readonly type?: string } = {},
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}
