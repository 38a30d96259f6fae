import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { connectEventStore } from '../eventstoredb/connect';
import type { Fault, StoreUnderTest } from './store-under-test';
import { systemClock, systemEntropy } from './system-ports';

/** The embedded server as it is built; it is spawned, never imported. */
const SERVER = resolve(__dirname, '../../../../apps/dev-event-store/dist/main.js');
/** Milliseconds for it to start. */
const START_MS = 30_000;
/** Milliseconds, for cases in which nobody waits for them, on a busy machine too. */
const TIMES = { appendTimeoutMs: 10_000, resolveMs: 40_000 };

const readySchema = z.object({ event: z.literal('ready'), port: z.number(), faultPort: z.number() });

/** The embedded server in its own process, on a folder of its own that `stop` removes. */
export async function spawnStore(): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'writ-event-store-'));
  let server = await startServer(folder, 0);
  const { port } = server;

  return {
    connect: (times) =>
      connectEventStore({
        url: `esdb://127.0.0.1:${port}?tls=false`,
        ...TIMES,
        ...times,
        clock: systemClock,
        entropy: systemEntropy,
      }),
    restart: async () => {
      await kill(server.process);
      server = await startServer(folder, port);
    },
    freeze: () => server.process.kill('SIGSTOP'),
    thaw: () => server.process.kill('SIGCONT'),
    arm: async (fault: Fault) => {
      const response = await fetch(`http://127.0.0.1:${server.faultPort}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      if (response.status !== 201) throw new Error(`the fault was not taken: ${await response.text()}`);
    },
    heal: async () => {
      await fetch(`http://127.0.0.1:${server.faultPort}/faults`, { method: 'DELETE' });
    },
    stop: async () => {
      await kill(server.process);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Server {
  readonly process: ChildProcess;
  readonly port: number;
  readonly faultPort: number;
}

async function startServer(folder: string, port: number): Promise<Server> {
  const server = spawn(
    process.execPath,
    [SERVER, '--data', folder, '--port', String(port), '--fault-port', '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<never>((_, reject) => {
    server.once('exit', (code) =>
      reject(new Error(`the embedded server ended with ${code} before it was ready`)),
    );
  });
  const started = new AbortController();
  const slow = systemClock.sleep(START_MS, started.signal).then(() => {
    throw new Error(`the embedded server was not ready within ${START_MS} ms`);
  });
  ended.catch(() => undefined);
  slow.catch(() => undefined);
  try {
    const ready = await Promise.race([readiness(server), ended, slow]);
    return { process: server, ...ready };
  } finally {
    started.abort();
  }
}

async function readiness(server: ChildProcess): Promise<{ port: number; faultPort: number }> {
  if (server.stdout === null) throw new Error('the embedded server has no output');
  for await (const line of createInterface({ input: server.stdout })) {
    const ready = readySchema.safeParse(JSON.parse(line));
    if (ready.success) return ready.data;
  }
  throw new Error('the embedded server ended before it was ready');
}

async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}
