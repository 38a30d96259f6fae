/** The same as `startNatsServer`, of an image: killed and started again by the container engine, on the same port. */
import { createServer } from 'node:net';
import type { StartedTestContainer } from 'testcontainers';
import { visitServer } from './nats-process';
import type { NatsServer } from './nats-server';

const PORT_INSIDE = 4222;
const START_DEADLINE_MS = 60_000;

export async function startNatsContainer(image: string): Promise<NatsServer> {
  // Loaded where it is needed: it takes a second.
  const { getContainerRuntimeClient } = await import('testcontainers');
  const engine = await getContainerRuntimeClient();
  const port = await freePort();
  let container = await launch(image, port);
  const handle = () => engine.container.getById(container.getId());
  let running = true;
  const stop = async () => {
    if (running) await handle().kill();
    running = false;
  };
  const url = `nats://${container.getHost()}:${port}`;
  return {
    url,
    stop,
    async start(storage) {
      await stop();
      if (storage === 'kept') await handle().start();
      else {
        await container.stop();
        container = await launch(image, port);
      }
      running = true;
    },
    // Frozen by the engine: a process of another machine takes no signal from here.
    signal: (name) => void (name === 'SIGSTOP' ? handle().pause() : handle().unpause()),
    visit: (deed) => visitServer(url, deed),
    dispose: async () => {
      await container.stop();
    },
  };
}

async function launch(image: string, port: number): Promise<StartedTestContainer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  return new GenericContainer(image)
    .withCommand(['-js', '-sd', '/data'])
    .withExposedPorts({ container: PORT_INSIDE, host: port })
    .withWaitStrategy(Wait.forLogMessage('Server is ready').withStartupTimeout(START_DEADLINE_MS))
    .start();
}

/** A container that is started again gets another port unless it was given one. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
