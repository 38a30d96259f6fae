import { connect, createServer, type Server, type Socket } from 'node:net';
import { CutLink } from './cut-link';

/** What a client hears from a server that sends everything back. */
describe('a link that can be cut', () => {
  let server: Server;
  let link: CutLink;
  const clients: Socket[] = [];

  beforeEach(async () => {
    server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    link = await CutLink.to(`tcp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await link.close();
    await new Promise((resolve) => server.close(resolve));
  });

  async function client(): Promise<{ socket: Socket; echo(text: string): Promise<string> }> {
    const socket = connect({ host: '127.0.0.1', port: link.port }).on('error', () => undefined);
    clients.push(socket);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    const echo = (text: string): Promise<string> => {
      const heard = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))));
      const silence = new Promise<string>((resolve) => setTimeout(() => resolve('silence'), 100));
      socket.write(text);
      return Promise.race([heard, silence]);
    };
    return { socket, echo };
  }

  it('carries both ways until it is cut, and then says nothing at all, to new connections neither', async () => {
    const old = await client();
    expect(await old.echo('a')).toBe('a');
    link.cut();
    expect(await old.echo('b')).toBe('silence');
    expect(await (await client()).echo('c')).toBe('silence');
    expect(old.socket.destroyed).toBe(false);
  });

  it('ends what it cut when it heals, and carries new connections', async () => {
    const { socket, echo } = await client();
    link.cut();
    await echo('lost');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    link.heal();
    await closed;
    expect(await (await client()).echo('d')).toBe('d');
  });
});
