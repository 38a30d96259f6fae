import { createServer, type Server } from 'node:net';
import { reservePorts, takenPort } from './free-ports';

const instances = { 'turn-orchestrator': 1, 'tool-executor': 1, 'approval-service': 1 };

async function listenOn(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('free ports', () => {
  it('are given to one stack at a time, until they are released', async () => {
    const first = await reservePorts(instances);
    const second = await reservePorts(instances);
    expect(second?.portBase).not.toBe(first?.portBase);
    second?.release();
    first?.release();
  });

  it('are passed over when somebody holds one of them', async () => {
    const first = await reservePorts(instances);
    first?.release();
    const holder = await listenOn((first?.portBase ?? 0) + 4);
    const second = await reservePorts(instances);
    expect(second?.portBase).not.toBe(first?.portBase);
    second?.release();
    await new Promise((resolve) => holder.close(resolve));
  });

  it('may be held for a moment by a stack that is just ending', async () => {
    const first = await reservePorts(instances);
    const port = first?.portBase ?? 0;
    const holder = await listenOn(port);
    setTimeout(() => holder.close(), 100);
    expect(await takenPort([{ port, owner: 'nats-server' }])).toBeUndefined();
    first?.release();
  });
});
