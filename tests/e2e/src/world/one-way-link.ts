import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP link to a server whose way back can be lost: what a client sends arrives, what the server answers does not.
 * Connections that lost bytes are cut when it heals, as the rest of a stream with a hole in it means nothing.
 */
export class OneWayLink {
  private readonly sockets = new Set<Socket>();
  private readonly broken = new Set<Socket>();
  private isDeaf = false;
  private lostSoFar = 0;
  private readonly server: Server;

  private constructor(host: string, port: number) {
    this.server = createServer((client) => {
      const server = connect({ host, port });
      const end = () => {
        for (const socket of [client, server]) {
          this.sockets.delete(socket);
          this.broken.delete(socket);
          socket.destroy();
        }
      };
      for (const socket of [client, server]) {
        this.sockets.add(socket);
        socket.on('error', end).on('close', end);
      }
      client.pipe(server);
      server.on('data', (bytes) => {
        if (!this.isDeaf) return void client.write(bytes);
        if (!this.broken.has(client)) this.lostSoFar += 1;
        this.broken.add(client);
      });
    });
  }

  static async to(url: string): Promise<OneWayLink> {
    const { hostname, port } = new URL(url);
    const link = new OneWayLink(hostname, Number(port));
    await new Promise<void>((resolve) => link.server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on every answer is lost. */
  loseAnswers(): void {
    this.isDeaf = true;
  }

  /** How many connections have lost answers, those included that their client has given up for it. */
  get lost(): number {
    return this.lostSoFar;
  }

  heal(): void {
    this.isDeaf = false;
    for (const socket of [...this.broken]) socket.destroy();
  }

  close(): Promise<void> {
    for (const socket of [...this.sockets]) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
