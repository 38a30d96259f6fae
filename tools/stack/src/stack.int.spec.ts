import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startStack, type Stack, type StackEvent, type StackOptions } from '.';
import { stubApps } from './testing/stub-apps';

jest.setTimeout(60_000);

let folder: string;
let running: Stack | undefined;
let events: StackEvent[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-stack-'));
  stubApps(folder);
  events = [];
});
afterEach(async () => {
  await running?.abort();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function optionsWith(changes: Partial<StackOptions>): StackOptions {
  return {
    root: folder,
    data: join(folder, 'data'),
    portBase: 'free',
    env: process.env,
    onEvent: (event) => events.push(event),
    ...changes,
  };
}

async function start(changes: Partial<StackOptions> = {}): Promise<Stack> {
  const started = await startStack(optionsWith(changes));
  if (!started.ok) throw new Error(started.line);
  running = started.stack;
  return started.stack;
}

async function refusal(changes: Partial<StackOptions>): Promise<string> {
  const started = await startStack(optionsWith(changes));
  if (!started.ok) return started.line;
  running = started.stack;
  return 'started';
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tried = 0; tried < 1_000 && !isTrue(); tried += 1) await sleep(20);
  expect(isTrue()).toBe(true);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const executor = 'tool-executor-1';

describe('a stack', () => {
  it('starts every process under its name, notes where it is, and leaves nothing behind', async () => {
    const stack = await start({ executors: 2 });
    const { processes, addresses } = stack;
    expect(processes.map(({ name }) => name)).toEqual([
      'nats-server',
      'event-store',
      'turn-orchestrator-1',
      'tool-executor-1',
      'tool-executor-2',
      'approval-service-1',
    ]);
    const noteFile = join(folder, 'data', 'stack.json');
    expect(JSON.parse(readFileSync(noteFile, 'utf8'))).toMatchObject({
      ...addresses,
      processes,
      pid: process.pid,
    });
    expect(readFileSync(join(folder, 'data', 'logs', 'event-store.log'), 'utf8')).toContain('began');

    await stack.close();
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
    expect(existsSync(noteFile)).toBe(false);
    expect(events).toEqual([]);
  });

  it('reports a process that dies, and goes on without it', async () => {
    const stack = await start();
    const pid = stack.processes.find(({ name }) => name === executor)?.pid ?? 0;
    await stack.kill(executor);
    expect(events).toEqual([{ ended: { name: executor, pid, code: null, signal: 'SIGKILL' } }]);
    expect(stack.isAlive(executor)).toBe(false);
    expect(await stack.start(executor)).toBe('ready');
  });

  it('gives a crash point to the service that passes it, and not to its next life', async () => {
    const stack = await start({ env: { ...process.env, WRIT_CRASH_AT: 'K5:2' }, restart: true });
    expect(stack.output('turn-orchestrator-1').join()).not.toContain('K5');
    expect(stack.output(executor).join()).toContain('"crashAt":"K5:2"');
    stack.signal(executor, 'SIGKILL');
    await until(() => events.length === 2);
    expect(events[1]).toMatchObject({ started: { name: executor } });
    expect(await stack.waitReady(executor)).toBe('ready');
    expect(stack.output(executor).filter((line) => line.includes('K5'))).toHaveLength(1);
  });

  it('gives a single process more environment than the others', async () => {
    const stack = await start({ executors: 2, envOf: { 'tool-executor-2': { WRIT_CRASH_AT: 'K6' } } });
    expect(stack.output(executor).join()).not.toContain('K6');
    expect(stack.output('tool-executor-2').join()).toContain('K6');
  });

  it('kills what does not stop when it is asked', async () => {
    const stack = await start({ envOf: { [executor]: { EXAMPLE_STUB: 'deaf' } } });
    const { processes } = stack;
    await stack.close();
    expect(processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  it('stops at once when its start is called off', async () => {
    const controller = new AbortController();
    const starting = refusal({ signal: controller.signal, onLine: () => controller.abort() });
    expect(await starting).toBe('Stopped before it was ready.');
  });
});

describe('what is in the way of a stack is said in one line', () => {
  it('when a process ends before it is ready, with its last words, and nothing is left running', async () => {
    const line = await refusal({ envOf: { [executor]: { EXAMPLE_STUB: 'wrong' } } });
    expect(line).toContain('tool-executor-1 ended with exit code 2 before it was ready');
    expect(line).toContain('WRIT_TOOLS: no such file');
  });

  it('when a port is in use', async () => {
    const stack = await start();
    const base = Number(/:(\d+)$/.exec(stack.addresses.nats)?.[1]) - 6;
    await stack.close();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(base + 4, '127.0.0.1', resolve));
    try {
      expect(await refusal({ portBase: base })).toBe(
        `Port ${base + 4} (event-store) is in use: stop what listens there or choose another --port-base.`,
      );
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it.each<[string, Partial<StackOptions>, RegExp]>([
    [
      'a configuration cannot be read',
      { config: '/no/such.yaml' },
      /^--config: .*such\.yaml is no file that can be read\.$/,
    ],
    ['tools cannot be read', { tools: '/no/such.yaml' }, /^--tools: /],
    [
      'nobody passes the crash point',
      { env: { ...process.env, WRIT_CRASH_AT: 'K99' } },
      /^WRIT_CRASH_AT: found "K99"; allowed: one of K0, /,
    ],
    ['the apps are not built', { root: '/no/such' }, /^apps\/dev-event-store is not built/],
  ])('when %s', async (_what, changes, line) => {
    expect(await refusal(changes)).toMatch(line);
  });

  it('when the data folder is of another version', async () => {
    const stack = await start();
    await stack.close();
    const data = join(folder, 'data');
    rmSync(join(data, 'version'));
    writeFileSync(join(data, 'version'), '99\n');
    expect(await refusal({})).toBe(
      `--data: ${data} holds data of format 99, this version needs 1; choose another folder.`,
    );
  });
});

describe('a stack that is killed itself', () => {
  const noteSchema = z.array(z.object({ name: z.string(), pid: z.number() }));

  it('takes its processes with it', async () => {
    const program = `
      const { startStack } = require(${JSON.stringify(join(__dirname, '..', 'dist', 'index.js'))});
      const options = { root: ${JSON.stringify(folder)}, data: ${JSON.stringify(join(folder, 'data'))} };
      startStack({ ...options, portBase: 'free', env: process.env }).then(({ stack, line }) => {
        console.log(JSON.stringify(stack ? stack.processes : line));
      });`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value } = z.object({ value: z.string() }).parse(await lines.next());
    const processes = noteSchema.parse(JSON.parse(value));
    expect(processes.every(({ pid }) => isAlive(pid))).toBe(true);
    child.kill('SIGKILL');
    await until(() => processes.every(({ pid }) => !isAlive(pid)));
  });
});
