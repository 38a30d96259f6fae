import { connect, createServer, type Server, type Socket } from 'node:net';
import { startNatsProcess, type NatsProcess } from './nats-process';

/** A connection as the broker knows it. */
export interface KnownConnection {
  readonly cid: number;
  readonly subjects: readonly string[];
}

/** A nats-server that tells who is connected, behind a link that can be cut as often as a test likes. */
export class WatchedNats {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: NatsProcess,
    private readonly link: Server,
  ) {
    link.on('connection', (client: Socket) => this.relay(client));
  }

  static async start(): Promise<WatchedNats> {
    const link = createServer();
    await new Promise<void>((resolve) => link.listen(0, '127.0.0.1', resolve));
    return new WatchedNats(await startNatsProcess(), link);
  }

  get url(): string {
    const address = this.link.address();
    return `nats://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  }

  /** The living connections of this name. */
  async connections(name: string): Promise<readonly KnownConnection[]> {
    const response = await fetch(`${this.server.monitoring()}/connz?subs=1`);
    return knownConnections(await response.json(), name);
  }

  /** Cuts every connection; new ones are let through. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.link.close(resolve));
    this.cut();
    await closed;
    await this.server.dispose();
  }

  private relay(client: Socket): void {
    const { hostname: host, port } = new URL(this.server.url);
    const server = connect({ host, port: Number(port) });
    const both = [client, server];
    for (const socket of both) {
      this.sockets.add(socket);
      const end = () => {
        for (const each of both) {
          this.sockets.delete(each);
          each.destroy();
        }
      };
      socket.on('error', end).on('close', end);
    }
    client.pipe(server).pipe(client);
  }
}

function knownConnections(answer: unknown, name: string): KnownConnection[] {
  return listIn(answer, 'connections').flatMap((each) => {
    if (!isRecord(each) || each['name'] !== name || typeof each['cid'] !== 'number') return [];
    const subjects = listIn(each, 'subscriptions_list').filter((subject) => typeof subject === 'string');
    return [{ cid: each['cid'], subjects }];
  });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Left out where it would be empty. */
function listIn(value: unknown, key: string): readonly unknown[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
}
