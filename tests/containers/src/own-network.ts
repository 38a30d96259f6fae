import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { docker, found, imageOf, root, type App } from './engine';

/** A network of its own in which single containers are started; all of it goes with `dispose`. */
export interface OwnNetwork {
  /** A service with nothing but its image, its settings and its mounted examples. */
  startService(app: Exclude<App, 'dev-event-store'>): Promise<{ readonly id: string; readonly url: string }>;
  startBroker(): Promise<void>;
  startStore(): Promise<void>;
  dispose(): Promise<void>;
}

const ports = { 'turn-orchestrator': 7401, 'tool-executor': 7402, 'approval-service': 7403 } as const;
const realStore = 'eventstore/eventstore:23.10.7-bookworm-slim';
const settings = {
  WRIT_EVENTSTORE_URL: 'esdb://eventstore:2113?tls=false',
  WRIT_NATS_URL: 'nats://nats:4222',
  WRIT_CONFIG: 'examples/writ.config.yaml',
  WRIT_TOOLS: 'examples/writ.tools.yaml',
};
const realStoreSettings = {
  EVENTSTORE_INSECURE: 'true',
  EVENTSTORE_CLUSTER_SIZE: '1',
  EVENTSTORE_RUN_PROJECTIONS: 'None',
};

export async function openNetwork(): Promise<OwnNetwork> {
  const network = `writ-test-${randomBytes(4).toString('hex')}`;
  await docker('network', 'create', network);
  const started: string[] = [];
  const start = async (...args: readonly string[]): Promise<string> => {
    const id = await docker('run', '--detach', '--network', network, ...args);
    started.push(id);
    return id;
  };
  return {
    async startService(app) {
      const port = ports[app];
      const mounted = ['--volume', `${join(root, 'examples')}:/var/lib/writ/examples:ro`];
      const published = ['--publish', `127.0.0.1::${port}`];
      const id = await start('--init', ...variables(settings), ...mounted, ...published, imageOf(app));
      return { id, url: `http://${await docker('port', id, String(port))}` };
    },
    async startBroker() {
      await start('--network-alias', 'nats', found.WRIT_NATS_IMAGE, '-js', '-sd', '/data');
    },
    async startStore() {
      const named = ['--network-alias', 'eventstore'];
      if (found.WRIT_TEST_STORE === 'development') await start(...named, imageOf('dev-event-store'));
      else await start(...named, ...variables(realStoreSettings), realStore);
    },
    async dispose() {
      if (started.length > 0) await docker('rm', '--force', '--volumes', ...started);
      await docker('network', 'rm', network);
    },
  };
}

function variables(values: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}
