import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startStack, type Stack, type StackOptions } from '@writ/stack';
import { Client } from './client';
import { ModelServer } from './model-server';
import { Probe } from './probe';

const fixtures = resolve(__dirname, '..', '..', 'fixtures');
const repository = resolve(__dirname, '..', '..', '..', '..');

/** Times of a stack under test: short, so that what must be waited for is soon over. Milliseconds. */
const quick = {
  WRIT_LEASE_TTL_MS: '3000',
  WRIT_APPEND_TIMEOUT_MS: '700',
  WRIT_APPEND_RESOLVE_MS: '2500',
  WRIT_COMMIT_GRACE_MS: '1500',
  WRIT_UNCLAIMED_MS: '4000',
};

/** The times that services have by default: for tests in which a slow store must not be taken for a lost one. */
export const patient = {
  WRIT_LEASE_TTL_MS: '5000',
  WRIT_APPEND_TIMEOUT_MS: '1500',
  WRIT_APPEND_RESOLVE_MS: '8000',
  WRIT_COMMIT_GRACE_MS: '5000',
};

/** The real processes, a model that says what the test wants, and effects counted outside. */
export interface World {
  readonly stack: Stack;
  readonly model: ModelServer;
  readonly probe: Probe;
  readonly client: Client;
  readonly folder: string;
  close(): Promise<void>;
}

export async function startWorld(options: Partial<StackOptions> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-e2e-'));
  const model = await ModelServer.start();
  const probe = new Probe(folder);
  const started = await startStack({
    data: join(folder, 'data'),
    portBase: 'free',
    root: repository,
    config: join(fixtures, 'writ.config.yaml'),
    tools: join(fixtures, 'writ.tools.yaml'),
    ...options,
    env: {
      ...process.env,
      ...quick,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'a-key',
      WRIT_MODEL: 'test-model',
      PROBE_FILE: probe.file,
      RELEASE_FILE: probe.releaseFile,
      ...options.env,
    },
  });
  if (!started.ok) {
    await model.close();
    throw new Error(started.line);
  }
  const { stack } = started;
  const close = async (): Promise<void> => {
    await stack.close();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { stack, model, probe, client: new Client(stack.addresses.orchestrator ?? ''), folder, close };
}
