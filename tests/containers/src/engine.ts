import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { containerLimits } from './limits';

export const root = resolve(__dirname, '..', '..', '..');
export const apps = ['turn-orchestrator', 'tool-executor', 'approval-service', 'dev-event-store'] as const;
export type App = (typeof apps)[number];

/** What `npm run test:containers` found out about this machine. */
export const found = z
  .object({
    WRIT_IMAGES: z.string(),
    WRIT_BASE_IMAGE: z.string(),
    WRIT_NATS_IMAGE: z.string(),
    /** The folder of ready-made production folders; empty where the build makes them. */
    WRIT_PREPARED: z.string(),
    /** `docker compose` or `docker-compose`. */
    WRIT_TEST_COMPOSE: z.string(),
    WRIT_TEST_STORE: z.enum(['real', 'development']),
  })
  .parse(process.env);

const execute = promisify(execFile);

/** Stdout, trimmed; rejects with what the program said. */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly timeout?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { stdout } = await execute(program, [...args], {
    cwd: root,
    timeout: options.timeout ?? containerLimits.commandMs,
    maxBuffer: containerLimits.outputBytes,
    env: { ...process.env, ...options.env },
  });
  return stdout.trim();
}

export const docker = (...args: readonly string[]): Promise<string> => run('docker', args);

export const imageOf = (app: App): string => `${found.WRIT_IMAGES}/${app}`;

/** From the app's own Dockerfile; what has not changed since the last time comes from the engine's cache. */
export async function build(app: App): Promise<void> {
  const values = { BASE_IMAGE: found.WRIT_BASE_IMAGE, PREPARED: found.WRIT_PREPARED };
  const args = Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  const file = ['--file', `apps/${app}/Dockerfile`, '--tag', imageOf(app)];
  await run('docker', ['build', '--quiet', ...args, ...file, '.'], { timeout: containerLimits.buildMs });
}

/** Everything that a container has written, both streams. */
export async function logsOf(id: string): Promise<string> {
  const { stdout, stderr } = await execute('docker', ['logs', id], {
    maxBuffer: containerLimits.outputBytes,
  });
  return stdout + stderr;
}

/** The HTTP status of a GET; undefined where nobody answers. */
export async function statusOf(url: string): Promise<number | undefined> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(containerLimits.probeMs) })).status;
  } catch {
    return undefined;
  }
}

/** Polls with a bound; what is waited for stands in the failure. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined>,
  ms: number = containerLimits.stepMs,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > end) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await new Promise((wake) => setTimeout(wake, containerLimits.pollMs));
  }
}
