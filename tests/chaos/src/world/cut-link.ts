import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP link that can be cut without a word: what either side sends is swallowed, new connections are accepted and hear
 * nothing. Healing ends the connections that it cut, as a stream with a hole in it means nothing.
 */
export class CutLink {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (client) => this.join(client));
  }

  static async to(url: string): Promise<CutLink> {
    const { hostname, port } = new URL(url);
    const link = new CutLink(createServer(), { host: hostname, port: Number(port) });
    await new Promise<void>((resolve) => link.server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  cut(): void {
    this.isCut = true;
  }

  heal(): void {
    this.isCut = false;
    this.endAll();
  }

  close(): Promise<void> {
    this.endAll();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private endAll(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  private join(client: Socket): void {
    const server = connect(this.target);
    const pair = [client, server] as const;
    this.pairs.add(pair);
    const end = (): void => {
      this.pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    // The end of a connection is no more told than its bytes are.
    const onEnd = (): void => (this.isCut ? undefined : end());
    for (const [from, to] of [pair, [server, client] as const]) {
      from.on('data', (bytes) => (this.isCut ? undefined : to.write(bytes)));
      from.on('error', onEnd).on('close', onEnd);
    }
  }
}
