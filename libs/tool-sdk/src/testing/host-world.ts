import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log, ToolRequest } from '@writ/runtime';
import { startToolHost, type ToolHost, type ToolHostOptions } from '../client/tool-host';
import { monotonicMs } from '../host/watchdog';
import { allProcesses, lives } from '../processes/process-table';

const project = join(__dirname, '..', '..');
export const fixture = (name: string): string => join(project, 'testing-fixtures', name);

/** Processes are started from what is built: a spec that runs against an older build proves nothing. */
export function requireBuilt(): void {
  const built = statSync(join(project, 'dist', '.tsbuildinfo'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = Math.max(...sources(join(project, 'src')).map((file) => statSync(file).mtimeMs));
  if (newest > built) throw new Error('libs/tool-sdk is not built: npx tsc -b libs/tool-sdk');
}

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

/** Temporary folders and tool hosts of one spec, ended with it. */
export class HostWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'writ-host-'));
  readonly lines: { readonly event: string; readonly fields: object }[] = [];
  private readonly hosts: ToolHost[] = [];
  private count = 0;

  readonly log: Log = {
    info: (event, fields) => void this.lines.push({ event, fields }),
    warn: (event, fields) => void this.lines.push({ event, fields }),
    error: (event, fields) => void this.lines.push({ event, fields }),
  };

  path(name: string): string {
    return join(this.folder, name);
  }

  options(modules: readonly string[], more: Partial<ToolHostOptions> = {}): ToolHostOptions {
    this.count += 1;
    return {
      modules: modules.map((name) => (name.includes('/') ? name : fixture(name))),
      slots: 4,
      socketPath: this.path(`${this.count}.sock`),
      env: process.env,
      log: this.log,
      ...more,
    };
  }

  /** A host whose lease stands for ten minutes. */
  async start(modules: readonly string[], more: Partial<ToolHostOptions> = {}): Promise<ToolHost> {
    const host = await this.startWithoutLease(modules, more);
    host.extend(monotonicMs() + 600_000);
    return host;
  }

  async startWithoutLease(
    modules: readonly string[],
    more: Partial<ToolHostOptions> = {},
  ): Promise<ToolHost> {
    const started = await startToolHost(this.options(modules, more));
    if (!started.ok) throw new Error(started.problems.join('\n'));
    this.hosts.push(started.host);
    return started.host;
  }

  async end(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let requests = 0;
export function request(
  tool: string,
  args: ToolRequest['args'] = {},
  more: Partial<ToolRequest> = {},
): ToolRequest {
  requests += 1;
  const callId = `call-${requests}`;
  return { callId, tool, args, idempotencyKey: `key-${callId}`, epoch: 1, deadlineMs: 20_000, ...more };
}

/** Polls until it is so; the bound is for a broken product, not for timing. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = monotonicMs() + 60_000;
  while (!(await isSo())) {
    if (monotonicMs() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const linesIn = (file: string): number => {
  try {
    return readFileSync(file, 'latin1').length;
  } catch {
    return 0;
  }
};

/** A file that somebody appends to grows within this time; nobody does when it has not grown. */
export async function growsNoMore(file: string): Promise<boolean> {
  const before = linesIn(file);
  await new Promise((resolve) => setTimeout(resolve, 60));
  return linesIn(file) === before;
}

/** Whoever lives in a host's session. */
export const livingIn = (session: number): number[] =>
  allProcesses()
    .filter((entry) => entry.session === session && lives(entry))
    .map(({ pid }) => pid);

export function refuses(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
