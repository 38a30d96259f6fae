/** The built command against the built development store, each a process of its own, with the golden history in it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { recordedEventSchema, type EventType, type RecordedEvent } from '@writ/contracts';
import { connectEventStore } from '@writ/event-store';
import type { EventStore } from '@writ/runtime';
import { withStore } from '../context';
import { outTo } from '../print/out';
import { runLine } from '../program';
import { clock, entropy } from '../system';

const apps = resolve(__dirname, '..', '..', '..');
const storeProgram = join(apps, 'dev-event-store', 'dist', 'main.js');
const command = join(apps, 'writ', 'bin', 'writ.cjs');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandWorld {
  readonly url: string;
  readonly store: EventStore;
  /** Runs a line in this process, as `main.ts` does. */
  writ(...line: readonly string[]): Promise<Ended>;
  /** Runs the built command as a process of its own; the environment tells it the store. */
  spawned(...line: readonly string[]): Promise<Ended>;
  stop(): Promise<void>;
}

export async function commandWorld(): Promise<CommandWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-command-'));
  const server = spawn(process.execPath, [storeProgram, '--data', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = `esdb://127.0.0.1:${await portOf(server)}?tls=false`;
  const store = connectEventStore({ url, appendTimeoutMs: 5_000, resolveMs: 20_000, clock, entropy });
  for (const event of goldenHistory()) await write(store, event);
  return {
    url,
    store,
    writ: (...line) => here(line, url),
    spawned: (...line) => run(line, { WRIT_EVENTSTORE_URL: url }),
    stop: async () => {
      await store.close();
      const ended = new Promise((done) => server.once('exit', done));
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function portOf(server: ChildProcess): Promise<number> {
  if (server.stdout === null) throw new Error('the store has no output');
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /"event":"ready","port":([0-9]+)/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('the store ended before it was ready');
}

function goldenHistory(): RecordedEvent[] {
  const contracts = dirname(require.resolve('@writ/contracts/package.json'));
  const text = readFileSync(join(contracts, 'golden', 'v1', 'history.json'), 'utf8');
  return recordedEventSchema.array().parse(JSON.parse(text));
}

/** Appends a recorded event as it is, where it stood in its stream. */
export async function write(store: EventStore, event: Omit<RecordedEvent, 'position'>): Promise<void> {
  const expected = event.revision === 0 ? 'no_stream' : event.revision - 1;
  const { id, type, data, metadata } = event;
  const outcome = await store.append(event.stream, expected, [
    { id, type: type as EventType, data, metadata },
  ]);
  if (outcome.outcome !== 'acknowledged') throw new Error(`${event.stream}: ${outcome.outcome}`);
}

async function here(line: readonly string[], url: string): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const out = outTo({ write: (text) => (said.stdout += text) }, { write: (text) => (said.stderr += text) });
  const code = await runLine(line, {
    run: (command, { eventstore, json = false }) => withStore({ out, url: eventstore ?? url, json }, command),
    configFile: 'writ.config.yaml',
    out: (text) => void (said.stdout += text),
    err: (text) => void (said.stderr += text),
  });
  return { code, ...said };
}

export function run(line: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [command, ...line], { env: { ...process.env, ...env } });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    child.once('error', fail);
    child.once('close', (code) => done({ code, ...said }));
  });
}
