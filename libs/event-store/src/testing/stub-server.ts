import { createServer, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';

/** Bytes before each gRPC message: a flag and the length. */
const PREFIX_BYTES = 5;

/** A gRPC call as a test's server sees it. */
export interface StubCall {
  /** `BatchAppend`, `Read`, … */
  readonly method: string;
  readonly headers: { readonly [name: string]: unknown };
  /** Which of the server's connections it came on, counted from 0. */
  readonly connection: number;
  onMessage(listener: (bytes: Uint8Array) => void): void;
  send(message: { serializeBinary(): Uint8Array }): void;
  /** Ends the call: a gRPC status, 0 for OK, and trailers. */
  end(status: number, trailers?: { readonly [name: string]: string }): void;
}

export interface StubServer {
  readonly url: string;
  readonly port: number;
  readonly connections: number;
  /** Cuts all connections. */
  disconnect(): void;
  stop(): Promise<void>;
}

/** A server that speaks as much gRPC as a test needs to misbehave in ways that no real server can be made to. */
export async function startStub(handle: (call: StubCall) => void): Promise<StubServer> {
  const sessions: Http2Session[] = [];
  const server = createServer();
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    handle(
      stubCall(stream, { headers, connection: sessions.findIndex((session) => session === stream.session) }),
    );
  });
  const port = await listen(server);
  const disconnect = () => sessions.forEach((session) => session.destroy());
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    port,
    get connections() {
      return sessions.length;
    },
    disconnect,
    stop: async () => {
      disconnect();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A free port on loopback. */
export function listen(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(isBound(address) ? address.port : 0);
    });
  });
}

const isBound = (address: AddressInfo | string | null): address is AddressInfo =>
  address !== null && typeof address !== 'string';

function stubCall(
  stream: ServerHttp2Stream,
  from: Pick<StubCall, 'connection'> & { headers: { ':path'?: string } },
): StubCall {
  const listeners: ((bytes: Uint8Array) => void)[] = [];
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  let trailers: { [name: string]: string } = { 'grpc-status': '0' };
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  let received = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (let length = lengthOf(received); length !== undefined; length = lengthOf(received)) {
      const message = received.subarray(PREFIX_BYTES, PREFIX_BYTES + length);
      received = received.subarray(PREFIX_BYTES + length);
      for (const listener of listeners) listener(message);
    }
  });
  return {
    method: from.headers[':path']?.split('/').at(-1) ?? '',
    headers: from.headers,
    connection: from.connection,
    onMessage: (listener) => listeners.push(listener),
    send: (message) => {
      const bytes = message.serializeBinary();
      const prefix = Buffer.alloc(PREFIX_BYTES);
      prefix.writeUInt32BE(bytes.length, 1);
      if (!stream.destroyed) stream.write(Buffer.concat([prefix, bytes]));
    },
    end: (status, more = {}) => {
      trailers = { 'grpc-status': String(status), ...more };
      stream.end();
    },
  };
}

/** Bytes of the next message, where all of it has come. */
function lengthOf(received: Buffer): number | undefined {
  if (received.length < PREFIX_BYTES) return undefined;
  const length = received.readUInt32BE(1);
  return received.length >= PREFIX_BYTES + length ? length : undefined;
}
