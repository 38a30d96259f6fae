import { randomBytes } from 'node:crypto';
import { docker, eventually, found, run } from './engine';

export interface ComposeStack {
  /** Containers of one service of the compose file. */
  containersOf(service: string): Promise<readonly string[]>;
  /** Host and port on this machine under which a container's port is published. */
  addressOf(service: string, port: number): Promise<string>;
  /** Ends all in order; their exit codes by container. */
  stop(): Promise<readonly number[]>;
  dispose(): Promise<void>;
}

const files = [
  'docker-compose.yml',
  ...(found.WRIT_TEST_STORE === 'development' ? ['docker-compose.dev-store.yml'] : []),
  'tests/containers/fixtures/demo.compose.yml',
];
/** Any free port of the machine: `up` and other stacks hold the known ones. */
const anyPort = { WRIT_STORE_PORT: '', WRIT_ORCHESTRATOR_PORT: '', WRIT_APPROVALS_PORT: '' };

/** The repository's compose stack with the demo's files and two executors, healthy. */
export async function startComposeStack(): Promise<ComposeStack> {
  const project = `writtest${randomBytes(4).toString('hex')}`;
  const [program = 'docker', ...first] = found.WRIT_TEST_COMPOSE.split(' ');
  const options = [
    '--project-name',
    project,
    '--project-directory',
    '.',
    ...files.flatMap((file) => ['--file', file]),
  ];
  const compose = (...args: readonly string[]) =>
    run(program, [...first, ...options, ...args], { env: anyPort });
  const containersOf = async (...services: readonly string[]) =>
    (await compose('ps', '--quiet', ...services)).split('\n').filter((id) => id !== '');
  const dispose = async () => {
    await compose('down', '--volumes', '--timeout', '5');
  };
  try {
    await compose('up', '--detach', '--no-build', '--scale', 'tool-executor=2');
    const all = await containersOf();
    await eventually('every container is healthy', async () => {
      const said = await docker('inspect', '--format', '{{.State.Health.Status}}', ...all);
      return said.split('\n').every((status) => status === 'healthy') ? true : undefined;
    });
  } catch (error) {
    const logs = await compose('logs', '--no-color', '--tail', '20');
    await dispose();
    throw new Error(`the stack did not come up:\n${logs}`, { cause: error });
  }
  return {
    containersOf,
    addressOf: (service, port) => compose('port', service, String(port)),
    async stop() {
      const all = await containersOf('turn-orchestrator', 'tool-executor', 'approval-service');
      await compose('stop', '--timeout', '30', 'turn-orchestrator', 'tool-executor', 'approval-service');
      const codes = await docker('inspect', '--format', '{{.State.ExitCode}}', ...all);
      return codes.split('\n').map(Number);
    },
    dispose,
  };
}
