/** A nats-server as a process of this machine. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from 'nats';
import type { NatsServer } from './nats-server';

const START_DEADLINE_MS = 10_000;
/** Lets the server choose. */
const ANY_PORT = -1;

/** Connects for the time of one deed. */
export async function visitServer<T>(
  url: string,
  deed: (stranger: NatsConnection) => T | Promise<T>,
): Promise<T> {
  const stranger = await connect({ servers: url });
  try {
    return await deed(stranger);
  } finally {
    await stranger.drain();
  }
}

export interface NatsProcess extends NatsServer {
  /** Where its present life tells about its connections. */
  monitoring(): string;
}

export async function startNatsProcess(): Promise<NatsProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'writ-nats-'));
  let { child, port, monitorPort } = await launch(directory, ANY_PORT);
  const stop = () => kill(child);
  const url = `nats://127.0.0.1:${port}`;
  return {
    url,
    monitoring: () => `http://127.0.0.1:${monitorPort}`,
    stop,
    async start(storage) {
      await stop();
      if (storage === 'empty') await rm(directory, { recursive: true, force: true });
      ({ child, port, monitorPort } = await launch(directory, port));
    },
    signal: (name) => void child.kill(name),
    visit: (deed) => visitServer(url, deed),
    async dispose() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Launched {
  readonly child: ChildProcess;
  readonly port: number;
  readonly monitorPort: number;
}

async function launch(directory: string, port: number): Promise<Launched> {
  const ports = ['-p', String(port), '-m', String(ANY_PORT)];
  const child = spawn('nats-server', ['-js', '-sd', directory, '-a', '127.0.0.1', ...ports], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/bin` },
  });
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string) => {
      clearTimeout(late);
      child.kill('SIGKILL');
      reject(new Error(`nats-server did not start (${why}): ${said}`));
    };
    const late = setTimeout(() => fail('too slow'), START_DEADLINE_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`exit ${code}`));
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.includes('Server is ready')) return;
      said += chunk.toString();
      const listening = /client connections on 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      const monitoring = /http monitor on 127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (listening === undefined || !said.includes('Server is ready')) return;
      clearTimeout(late);
      child.removeAllListeners('exit');
      resolve({ child, port: Number(listening), monitorPort: Number(monitoring) });
    });
  });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}
