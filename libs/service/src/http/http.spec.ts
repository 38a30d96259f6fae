import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readinessSchema } from '@writ/contracts';
import { z } from 'zod';
import { countingLog, createMetrics } from '../metrics';
import {
  explainListenError,
  openapi,
  probes,
  problem,
  problemOf,
  readRequest,
  sendProblem,
  type HttpHandler,
  type ProbeSources,
} from '.';

let server: Server | undefined;
afterEach(() => server?.close());

async function ask(handler: HttpHandler): Promise<{ status: number; type: string | null; body: string }> {
  const listening = createServer(handler);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${address.port}/`);
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

function probesWith(readiness: ProbeSources['readiness'], timeoutMs?: number) {
  const metrics = createMetrics('tool-executor');
  return probes({ readiness, metrics, openapi: {}, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

describe('readiness', () => {
  it('is 200 when every check is ok', async () => {
    const { readyz } = probesWith(() => ({ store: 'ok', broker: 'ok', lease: 'ok' }));
    expect(await ask(readyz)).toMatchObject({
      status: 200,
      body: '{"checks":{"store":"ok","broker":"ok","lease":"ok"}}',
    });
  });

  it('is 503 and says what is missing when one check is not ok', async () => {
    const { readyz } = probesWith(() => ({ store: 'ok', broker: 'not connected', lease: 'ok' }));
    const { status, body } = await ask(readyz);
    expect(status).toBe(503);
    expect(readinessSchema.parse(JSON.parse(body)).checks.broker).toBe('not connected');
  });

  it('is 503 when the check throws', async () => {
    const { readyz } = probesWith(() => Promise.reject(new Error('secret')));
    const { status, body } = await ask(readyz);
    expect(status).toBe(503);
    expect(body).not.toContain('secret');
  });

  it('is 503 when the check never answers', async () => {
    const { readyz } = probesWith(() => new Promise(() => undefined), 10);
    expect(await ask(readyz)).toMatchObject({ status: 503 });
  });
});

describe('metrics', () => {
  it('hold the process and every logged event, by its stable word', async () => {
    const metrics = createMetrics('tool-executor');
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
    countingLog(silent, metrics).info('step_staged', {});
    const { metrics: handler } = probes({
      readiness: () => ({ store: '', broker: '', lease: '' }),
      metrics,
      openapi: {},
    });
    const { type, body } = await ask(handler);
    expect(type).toContain('text/plain');
    expect(body).toContain('writ_events_total{event="step_staged",level="info",service="tool-executor"} 1');
    expect(body).toContain('process_cpu_seconds_total');
  });

  it('ask for an observed number at each reading', async () => {
    const metrics = createMetrics('tool-executor');
    const totals = { delivered: 1, redelivered: 0 };
    metrics.observed({ name: 'bus', help: 'h', labels: ['kind'] }, () => totals);
    metrics.observed({ name: 'waiting', help: 'h' }, () => ({ value: totals.delivered }));
    expect(await metrics.read()).toContain('bus{kind="delivered",service="tool-executor"} 1');
    totals.delivered = 7;
    const read = await metrics.read();
    expect(read).toContain('bus{kind="delivered",service="tool-executor"} 7');
    expect(read).toContain('bus{kind="redelivered",service="tool-executor"} 0');
    expect(read).toContain('waiting{service="tool-executor"} 7');
  });
});

describe('a problem', () => {
  it('has the status of its code and its further members', async () => {
    const body = problem('earlier_calls_open', 'Two calls are not settled.', { calls: ['c1'] });
    const answer = await ask((_request, response) => sendProblem(response, body, { 'retry-after': '1' }));
    expect(answer).toMatchObject({ status: 409, type: 'application/problem+json' });
    expect(JSON.parse(answer.body)).toEqual({
      type: 'urn:writ:problem:earlier_calls_open',
      title: 'Earlier calls open',
      status: 409,
      code: 'earlier_calls_open',
      detail: 'Two calls are not settled.',
      calls: ['c1'],
    });
  });

  it('cannot be given another code or status by its members', () => {
    expect(problem('not_found', 'No such turn.', { code: 'x', status: 200 })).toMatchObject({
      code: 'not_found',
      status: 404,
    });
  });
});

describe('a request that cannot be read', () => {
  const schema = z.strictObject({ budgets: z.strictObject({ steps: z.number() }).optional() });
  const fieldOf = (value: unknown, whole?: string): unknown => {
    try {
      readRequest(schema, value, whole);
      return 'it was read';
    } catch (thrown) {
      return problemOf(thrown)?.field;
    }
  };

  it('is refused with the field at fault, or what the whole of it is called', () => {
    expect(fieldOf({ budgets: { steps: 'many' } })).toBe('budgets.steps');
    expect(fieldOf({ budgets: { steps: 1, money: 1 } })).toBe('budgets.money');
    expect(fieldOf({ stream: true })).toBe('stream');
    expect(fieldOf([])).toBe('body');
    expect(fieldOf(undefined, 'Idempotency-Key')).toBe('Idempotency-Key');
  });

  it('is refused as no JSON, too large or nowhere, as the framework says', () => {
    expect(problemOf({ status: 400 })).toMatchObject({ code: 'invalid_request', field: 'body' });
    expect(problemOf({ status: 413 })).toMatchObject({ code: 'invalid_request', field: 'body' });
    expect(problemOf({ status: 404 })).toMatchObject({ code: 'not_found' });
    expect(problemOf(new Error('a bug'))).toBeUndefined();
  });
});

describe('the OpenAPI document', () => {
  it('says what the schemas say: path and query parameters, bodies, responses, problems', () => {
    const document = openapi({
      title: 'Approvals',
      version: '1',
      routes: [
        {
          method: 'post',
          path: '/v1/approvals/{callId}/decision',
          query: z.object({ wait: z.enum(['true', 'false']).optional() }),
          body: z.strictObject({ decision: z.enum(['grant', 'deny']), deadline: z.string().default('10m') }),
          responses: { 200: { description: 'Decided.', schema: z.object({ callId: z.string() }) } },
        },
      ],
    });
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/v1/approvals/{callId}/decision': {
          post: {
            parameters: [
              { name: 'callId', in: 'path', required: true },
              { name: 'wait', in: 'query', required: false },
            ],
            requestBody: { content: { 'application/json': { schema: { required: ['decision'] } } } },
            responses: {
              200: { content: { 'application/json': { schema: { required: ['callId'] } } } },
              default: { content: { 'application/problem+json': {} } },
            },
          },
        },
      },
    });
  });
});

describe('an address that cannot be had', () => {
  const address = { host: '127.0.0.1', port: 7402 };

  it.each([
    [
      'EADDRINUSE',
      'WRIT_HTTP_PORT: port 7402 on 127.0.0.1 is in use; stop what listens there or set another port.',
    ],
    [
      'EADDRNOTAVAIL',
      'WRIT_HTTP_HOST: this machine has no address 127.0.0.1; set 127.0.0.1 or one of its own.',
    ],
  ])('is explained in one line (%s)', (code, line) => {
    expect(explainListenError(Object.assign(new Error(), { code }), address)).toBe(line);
  });

  it('is not blamed for other errors', () => {
    expect(explainListenError(new Error('EADDRINUSE'), address)).toBeUndefined();
  });
});
