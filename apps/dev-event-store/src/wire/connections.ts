import { createServer, type Server as NetServer, type Socket } from 'node:net';

export interface ListenOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  accept: (socket: Socket) => void;
}

/**
 * The TCP side of the server. It owns the sockets, so that a fault can cut the connection of one client and a stop
 * can cut what does not end by itself.
 */
export class Connections {
  private readonly sockets = new Map<string, Socket>();

  private constructor(
    private readonly server: NetServer,
    readonly port: number,
  ) {}

  /** Rejects with the error of `listen`, for instance EADDRINUSE. */
  static async listen(options: ListenOptions): Promise<Connections> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host, resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
    const connections = new Connections(server, address.port);
    // A connection that cannot be accepted (no file handle left) is its client's to try again.
    server.on('error', () => undefined);
    server.on('connection', (socket) => {
      connections.keep(socket);
      options.accept(socket);
    });
    return connections;
  }

  /** Cuts the connection of a peer, named `address:port`. */
  cut(peer: string): void {
    this.sockets.get(peer)?.destroy();
  }

  cutAll(): void {
    for (const socket of this.sockets.values()) socket.destroy();
  }

  /** Takes no more connections; those that exist go on. */
  stopAccepting(): void {
    this.server.close();
  }

  private keep(socket: Socket): void {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    this.sockets.set(peer, socket);
    socket.on('close', () => this.sockets.delete(peer));
    // A reset by the peer is its business; without a listener it would end the process.
    socket.on('error', () => undefined);
  }
}
