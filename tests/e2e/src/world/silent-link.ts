import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP link to a server whose connections can fall silent: nothing comes through any more in either direction, and
 * neither end is told. Connections that are made later are as good as any.
 */
export class SilentLink {
  private readonly sockets = new Set<Socket>();
  private readonly clients = new Set<Socket>();
  private readonly silent = new Set<Socket>();
  private readonly server: Server;

  private constructor(host: string, port: number) {
    this.server = createServer((client) => {
      const server = connect({ host, port });
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.sockets.add(from);
        from.on('data', (bytes) => void (this.silent.has(client) || to.write(bytes)));
        // Who is silenced does not hear that the other end has gone, either.
        const end = () => void (this.silent.has(client) || to.destroy());
        from.on('error', end).on('close', () => {
          this.sockets.delete(from);
          end();
        });
      }
      this.clients.add(client);
      client.on('close', () => this.clients.delete(client));
    });
  }

  static async to(url: string): Promise<SilentLink> {
    const { hostname, port } = new URL(url);
    const link = new SilentLink(hostname, Number(port));
    await new Promise<void>((resolve) => link.server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Silences every connection of this moment; says how many. */
  silence(): number {
    for (const client of this.clients) this.silent.add(client);
    return this.clients.size;
  }

  close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
