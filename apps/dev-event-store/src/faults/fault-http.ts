import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { MAX_FAULT_BODY_BYTES, MAX_FAULTS } from '../limits';
import { faultSchema } from './fault';
import type { FaultRegistry } from './fault-registry';

const LOOPBACK = '127.0.0.1';

/** The fault interface: arm, list, heal; and a liveness probe. On loopback only. */
export class FaultHttp {
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** Rejects with the error of `listen`, for instance EADDRINUSE. */
  static async listen(port: number, registry: FaultRegistry): Promise<FaultHttp> {
    const server = createServer((request, response) => {
      handle(request, response, registry).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, LOOPBACK, resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
    return new FaultHttp(server, address.port);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  registry: FaultRegistry,
): Promise<void> {
  const path = new URL(request.url ?? '/', `http://${LOOPBACK}`).pathname;
  if (path === '/livez' && request.method === 'GET') return send(response, 200, { status: 'ok' });
  if (path !== '/faults') return problem(response, 404, { code: 'not_found', detail: `no resource ${path}` });
  switch (request.method) {
    case 'GET':
      return send(response, 200, { faults: registry.list() });
    case 'POST':
      return arm(request, response, registry);
    case 'DELETE':
      registry.heal();
      response.writeHead(204).end();
      return;
    default:
      response.setHeader('allow', 'GET, POST, DELETE');
      return problem(response, 405, { code: 'method_not_allowed', detail: 'GET, POST or DELETE' });
  }
}

async function arm(
  request: IncomingMessage,
  response: ServerResponse,
  registry: FaultRegistry,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) {
    return problem(response, 413, { code: 'invalid_request', detail: 'the body is too large' });
  }
  const parsed = faultSchema.safeParse(parseJson(body));
  if (!parsed.success) {
    const detail =
      'a fault is {on: append, stream?, eventType?, do: hold | fail_unavailable | store_then_drop_ack | ' +
      'store_then_wrong_version | delay | disconnect, ms (with delay only), times?} or {on: read | subscribe, ' +
      'stream?, do: hold | delay | fail_unavailable | disconnect, ms (with delay only), times?}';
    return problem(response, 400, { code: 'invalid_request', detail });
  }
  if (registry.list().length >= MAX_FAULTS) {
    return problem(response, 409, { code: 'too_many_faults', detail: 'heal first: DELETE /faults' });
  }
  send(response, 201, { id: registry.arm(parsed.data) });
}

async function readBody(request: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MAX_FAULT_BODY_BYTES) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
};

function problem(response: ServerResponse, status: number, what: { code: string; detail: string }): void {
  const body = { type: 'about:blank', title: TITLES[status], status, ...what };
  response.writeHead(status, { 'content-type': 'application/problem+json' });
  response.end(JSON.stringify(body));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
