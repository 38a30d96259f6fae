import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EventStoreDBClient } from '@eventstore/db-client';
import { z } from 'zod';

const DIST = join(__dirname, '..', '..', 'dist');
const START_LIMIT_MS = 20_000;

const readyLine = z.object({
  event: z.literal('ready'),
  port: z.number(),
  faultPort: z.number().optional(),
});

export interface SpawnOptions {
  data: string;
  port?: number;
  withFaults?: boolean;
  /** Entry point below `dist`; the product's own by default. */
  entry?: string;
  /** A program and its arguments that run the server, strace for instance. */
  wrapper?: readonly string[];
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

/** A real server process; `kill` and `stop` address the server itself, not a wrapper around it. */
export interface ServerProcess {
  pid: number;
  port: number;
  faultUrl: string;
  exited: Promise<Exit>;
  client(): EventStoreDBClient;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<Exit>;
  stop(): Promise<Exit>;
}

/** A fresh folder for a server's data. */
export function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), 'writ-event-store-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a server and waits until it is ready. Rejects with its last words if it ends before that. */
export async function spawnServer(options: SpawnOptions): Promise<ServerProcess> {
  const child = launch(options);
  const exited = exitOf(child);
  const isReady = limitStart(child);
  const ready = await Promise.race([readyOf(child), exited.then(failedStart)]);
  isReady();
  const clients: EventStoreDBClient[] = [];
  const signal = (name: NodeJS.Signals): void => void process.kill(ready.pid, name);
  const end = async (name: NodeJS.Signals): Promise<Exit> => {
    await Promise.all(clients.map((client) => client.dispose().catch(() => undefined)));
    if (child.exitCode === null && child.signalCode === null) signal(name);
    return exited;
  };
  return {
    ...ready,
    faultUrl: `http://127.0.0.1:${ready.faultPort ?? 0}/faults`,
    exited,
    client: () => {
      const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${ready.port}?tls=false`);
      clients.push(client);
      return client;
    },
    signal,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Runs a server that is expected to end by itself. */
export function runServer(argv: readonly string[]): Promise<Exit> {
  return exitOf(
    spawn(process.execPath, [entryPath('main.js'), ...argv], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

function launch(options: SpawnOptions): ChildProcess {
  const server = [process.execPath, entryPath(options.entry ?? 'main.js')];
  const argv = ['--data', options.data, '--port', String(options.port ?? 0)];
  if (options.withFaults) argv.push('--fault-port', '0');
  const [command = process.execPath, ...rest] = [...(options.wrapper ?? []), ...server, ...argv];
  return spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
}

function entryPath(entry: string): string {
  const path = join(DIST, entry);
  if (!existsSync(path))
    throw new Error(`${path} is missing: build first with "npx tsc -b apps/dev-event-store"`);
  return path;
}

function readyOf(child: ChildProcess): Promise<{ pid: number; port: number; faultPort?: number }> {
  return new Promise((resolve) => {
    if (child.stdout === null) throw new Error('the server has no stdout');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const parsed = readyLine.extend({ pid: z.number() }).safeParse(JSON.parse(line));
      if (parsed.success) resolve(parsed.data);
    });
  });
}

function failedStart(exit: Exit): never {
  throw new Error(`the server was not ready, it ended with ${exit.code ?? exit.signal}: ${exit.stderr}`);
}

/** Kills a server that is not ready in time; `exited` then says so. */
function limitStart(child: ChildProcess): () => void {
  const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  return () => clearTimeout(timer);
}

function exitOf(child: ChildProcess): Promise<Exit> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
}
