import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { InstanceProbe, Liveness } from '@writ/runtime';

const socketLimits = {
  /** A Unix socket's address holds 108 bytes; this leaves room for the name under which one is first bound. */
  pathBytes: 99,
  /** A local connection that is not answered says nothing either way. Milliseconds. */
  connectMs: 1_000,
  /** Sockets of ended processes are kept this long, so that observers are refused and not left in doubt. Milliseconds. */
  keepMs: 24 * 60 * 60_000,
} as const;

/** Where a process listens only to show that it is there (protocol 7). */
export interface AliveSocket {
  readonly path: string;
  /** Stops accepting; the path stays and refuses, as it would after a kill. */
  close(): Promise<void>;
}

/** Fresh paths for one run of a service process, in a folder of the host; what ended long ago is removed there. */
export function newSocketPaths(folder: string): { readonly process: string; readonly toolHost: string } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (name.endsWith('.sock')) removeIfOld(join(folder, name));
  const run = randomBytes(6).toString('hex');
  return { process: join(folder, `${run}.process.sock`), toolHost: join(folder, `${run}.tools.sock`) };
}

/**
 * Listens and hangs up on everybody. The socket is bound under another name and renamed, so that the path is never
 * absent; it is not removed at the end, because a path that refuses proves an end and an absent one does not.
 */
export async function listenAlive(path: string): Promise<AliveSocket> {
  const bytes = Buffer.byteLength(path);
  if (bytes > socketLimits.pathBytes) {
    throw new Error(`socket path of ${bytes} bytes, allowed are ${socketLimits.pathBytes}: ${path}`);
  }
  const server = createServer((socket) => socket.on('error', () => {}).destroy());
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  await listening(server, fresh);
  renameSync(fresh, path);
  return { path, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/**
 * `gone` only if **both** refuse: a killed process refuses, a frozen one accepts, and of an absent path nothing is
 * known. A tool host's socket refuses only once every process of its tools has ended (R10).
 */
export async function probeGone(sockets: {
  readonly processSocket: string;
  readonly toolHostSocket?: string | undefined;
}): Promise<Liveness> {
  const paths = [sockets.processSocket, sockets.toolHostSocket].filter((path) => path !== undefined);
  const answers = await Promise.all(paths.map(probeSocket));
  if (answers.includes('alive')) return 'alive';
  return answers.includes('unknown') ? 'unknown' : 'gone';
}

/** This machine, and this run of it: sockets of another one prove nothing here. */
export function thisHost(): { readonly name: string; readonly bootId: string } {
  return { name: hostname(), bootId: bootId() };
}

export function instanceProbe(own = thisHost()): InstanceProbe {
  return {
    async probe({ host, sockets }) {
      if (host.name !== own.name || host.bootId !== own.bootId || own.bootId === '') return 'unknown';
      return probeGone({ processSocket: sockets.process, toolHostSocket: sockets.toolHost });
    },
  };
}

function probeSocket(path: string): Promise<Liveness> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    const say = (liveness: Liveness): void => {
      socket.destroy();
      resolve(liveness);
    };
    socket.setTimeout(socketLimits.connectMs, () => say('unknown'));
    socket.once('connect', () => say('alive'));
    // EAGAIN: nobody takes the connections that wait there, but somebody listens.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      say(error.code === 'ECONNREFUSED' ? 'gone' : error.code === 'EAGAIN' ? 'alive' : 'unknown'),
    );
  });
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}

/** Without one (no Linux) hosts cannot be told from their earlier runs, and nothing is concluded from sockets. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function removeIfOld(path: string): void {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age < socketLimits.keepMs) return;
  void probeSocket(path).then((liveness) => {
    if (liveness === 'gone') rmSync(path, { force: true });
  });
}
