import { spawnSync } from 'node:child_process';
import { connectEventStore } from '../eventstoredb/connect';
import type { StoreUnderTest } from './store-under-test';
import { systemClock, systemEntropy } from './system-ports';

/** The last open-source line, as old as the client. */
const IMAGE = 'eventstore/eventstore:23.10.7-bookworm-slim';
const PORT = 2_113;
/** Milliseconds for an engine to fetch the image. */
const FETCH_MS = 300_000;
const TIMES = { appendTimeoutMs: 2_500, resolveMs: 20_000 };

/** Run before any test is registered, so it cannot wait: a process of its own does. */
const FETCH = `
  require('testcontainers').getContainerRuntimeClient()
    .then(({ image }) => image.pull(require('testcontainers').ImageName.fromString('${IMAGE}')))
    .then(() => process.exit(0), (error) => { process.stderr.write(String(error.message)); process.exit(1); });
`;

export type RealStore =
  { readonly found: true; open(): Promise<StoreUnderTest> } | { readonly found: false; readonly why: string };

/** An EventStoreDB to test: the one that WRIT_TEST_EVENTSTORE_URL names, else one in a container where that can be had. */
export function findRealStore(): RealStore {
  const url = process.env['WRIT_TEST_EVENTSTORE_URL'];
  if (url !== undefined && url !== '')
    return { found: true, open: async () => ({ ...clientsOf(url), stop: async () => undefined }) };
  const fetched = spawnSync(process.execPath, ['-e', FETCH], { cwd: __dirname, timeout: FETCH_MS });
  if (fetched.status === 0) return { found: true, open: startContainer };
  const [reason = 'no container engine'] = fetched.stderr.toString().split('\n');
  return { found: false, why: `WRIT_TEST_EVENTSTORE_URL is not set, and ${IMAGE} cannot be had (${reason})` };
}

async function startContainer(): Promise<StoreUnderTest> {
  // Loaded where it is needed: it takes a second.
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
      EVENTSTORE_MEM_DB: 'true',
    })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCodeMatching((status) => status < 300))
    .start();
  const url = `esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`;
  return {
    ...clientsOf(url),
    stop: async () => {
      await container.stop();
    },
  };
}

function clientsOf(url: string): Pick<StoreUnderTest, 'connect'> {
  return {
    connect: (times) =>
      connectEventStore({ url, ...TIMES, ...times, clock: systemClock, entropy: systemEntropy }),
  };
}
