import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readinessSchema } from '@writ/contracts';
import { z } from 'zod';
import { reservePorts, type Reservation } from './plan/free-ports';

jest.setTimeout(120_000);

const instances = { 'turn-orchestrator': 1, 'tool-executor': 1, 'approval-service': 1 };
const readySchema = z.object({
  ready: z.literal(true),
  orchestrator: z.string(),
  executor: z.string(),
  approvals: z.string(),
  eventstore: z.string(),
  faults: z.string(),
  nats: z.string(),
  processes: z.array(z.object({ name: z.string(), pid: z.number() })),
});

let folder: string;
let up: Up | undefined;
let ports: Reservation | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-up-'));
});
afterEach(() => {
  up?.signal('SIGKILL');
  ports?.release();
  rmSync(folder, { recursive: true, force: true });
});

interface Up {
  /** The next line of stdout, parsed as JSON. */
  next(): Promise<unknown>;
  /** To the whole process group, as a terminal does. */
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

function run(...argv: string[]): Up {
  const program = join(__dirname, '..', 'dist', 'main.js');
  const child: ChildProcess = spawn(
    process.execPath,
    [program, '--json', '--data', join(folder, 'data'), ...argv],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  if (child.stdout === null || child.pid === undefined) throw new Error('the stack does not run');
  const { pid } = child;
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const started: Up = {
    async next() {
      const { value } = z.object({ value: z.string() }).parse(await lines.next());
      const parsed: unknown = JSON.parse(value);
      return parsed;
    },
    signal(signal) {
      if (child.exitCode === null && child.signalCode === null) process.kill(-pid, signal);
    },
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr }))),
  };
  up = started;
  return started;
}

async function freePorts(): Promise<string> {
  ports = await reservePorts(instances);
  if (ports === undefined) throw new Error('no free ports');
  return String(ports.portBase);
}

function pidOf(processes: readonly { readonly name: string; readonly pid: number }[], name: string): number {
  return processes.find((each) => each.name === name)?.pid ?? 0;
}

describe('`npm run up -- --json`', () => {
  it('says where the whole of Writ is, reports a death, restarts it, and ends with 0 on Ctrl-C', async () => {
    const base = await freePorts();
    const stack = run('--port-base', base, '--restart');
    const ready = readySchema.parse(await stack.next());
    expect(ready.orchestrator).toBe(`http://127.0.0.1:${Number(base) + 1}`);
    for (const url of [ready.orchestrator, ready.executor, ready.approvals]) {
      const response = await fetch(`${url}/readyz`);
      expect(readinessSchema.parse(await response.json())).toEqual({
        checks: { store: 'ok', broker: 'ok', lease: 'ok' },
      });
    }
    const pid = pidOf(ready.processes, 'tool-executor-1');
    process.kill(pid, 'SIGKILL');
    expect(await stack.next()).toEqual({
      ended: { name: 'tool-executor-1', pid, code: null, signal: 'SIGKILL' },
    });
    expect(await stack.next()).toEqual({ started: { name: 'tool-executor-1', pid: expect.any(Number) } });

    stack.signal('SIGINT');
    expect(await stack.ended).toMatchObject({ code: 0 });
  });

  it('takes up the same data after everything was killed at once', async () => {
    const base = await freePorts();
    const first = run('--port-base', base);
    const { orchestrator } = readySchema.parse(await first.next());
    const opened = await fetch(`${orchestrator}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { sessionId } = z.object({ sessionId: z.string() }).parse(await opened.json());
    first.signal('SIGKILL');
    await first.ended;

    const second = run('--port-base', base);
    const ready = readySchema.parse(await second.next());
    const transcript = await fetch(`${ready.orchestrator}/v1/sessions/${sessionId}/transcript`);
    expect(transcript.status).toBe(200);
    second.signal('SIGINT');
    expect(await second.ended).toMatchObject({ code: 0 });
  });

  it('ends with 1 and one line when a port is in use, with 2 when it is called wrongly', async () => {
    const base = await freePorts();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(Number(base) + 6, '127.0.0.1', resolve));
    const { code, stderr } = await run('--port-base', base).ended;
    await new Promise((resolve) => other.close(resolve));
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({
      code: 1,
      lines: [
        `Port ${Number(base) + 6} (nats-server) is in use: stop what listens there or choose another --port-base.`,
      ],
    });
    expect(await run('--port-bass', base).ended).toMatchObject({ code: 2 });
  });
});
