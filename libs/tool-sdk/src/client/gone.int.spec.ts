import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { growsNoMore, linesIn, livingIn, refuses, requireBuilt, until } from '../testing/host-world';
import { Owner, type OwnerOptions } from '../testing/owner';

// Processes are started and killed here, on machines that may be busy: this is no measure of anything.
jest.setTimeout(120_000);

let folder: string;
const owners: Owner[] = [];

beforeAll(requireBuilt);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-gone-'));
});
afterEach(() => {
  for (const owner of owners.splice(0)) owner.end();
  rmSync(folder, { recursive: true, force: true });
});

function owner(options: Partial<OwnerOptions> & { calls: OwnerOptions['calls'] }): Owner {
  const started = new Owner({ folder, ...options });
  owners.push(started);
  return started;
}

const hang = (how: string, file: string): OwnerOptions['calls'][number] => ({
  tool: 'hang',
  args: { how, file },
  deadlineMs: 60_000,
});

/** Each of these leaves a mark all the time, in another way. */
const ways = ['spin', 'deaf', 'threads', 'grandchild', 'orphan', 'jobControl'];

describe('an observer that both sockets refuse', () => {
  // Lanes keep two cores busy; each kill has its own executor, host and tools.
  const lanes = 4;
  const killsPerLane = 25;

  async function kill(index: number): Promise<{ readonly index: number; readonly grew: boolean }> {
    const inner = mkdtempSync(join(folder, 'k-'));
    const how = ways[index % ways.length] ?? 'spin';
    const file = join(inner, 'effects');
    const one = owner({ folder: inner, calls: [hang(how, file)] });
    await until('the tool has effects', () => linesIn(file) > 0);
    one.signal('SIGKILL');
    await until('both sockets refuse', () => one.gone());
    const counted = linesIn(file);
    const grew = !(await growsNoMore(file)) || linesIn(file) !== counted;
    one.end();
    return { index, grew };
  }

  it('sees no effect any more, in a hundred kills of the executor', async () => {
    const all = await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        const results = [];
        for (let round = 0; round < killsPerLane; round += 1)
          results.push(await kill(lane * killsPerLane + round));
        return results;
      }),
    );
    expect(all.flat()).toHaveLength(lanes * killsPerLane);
    expect(all.flat().filter(({ grew }) => grew)).toEqual([]);
  }, 300_000);

  it('is not refused while a tool process lives whose host and executor were killed at one moment', async () => {
    const file = join(folder, 'effects');
    const one = owner({ calls: [hang('grandchild', file)] });
    await until('the tool has effects', () => linesIn(file) > 0);
    one.signal('SIGSTOP');
    process.kill(one.hostPid ?? 0, 'SIGKILL');
    one.signal('SIGKILL');
    await until('the executor is gone', () => refuses(one.processSocket));
    for (let looks = 0; looks < 20; looks += 1) {
      const before = linesIn(file);
      const gone = await one.gone();
      if (gone) expect(await growsNoMore(file)).toBe(true);
      else await until('the loop goes on', () => linesIn(file) > before);
    }
    one.end();
    await until('both sockets refuse', () => one.gone());
    expect(await growsNoMore(file)).toBe(true);
  });
});

describe('an executor that is frozen', () => {
  it('loses its tools to the watchdog of its host, and learns of it when it wakes', async () => {
    const files = ['spin', 'orphan'].map((how) => ({ how, file: join(folder, how) }));
    const calls = files.map(({ how, file }) => hang(how, file));
    const one = owner({ calls, renewMs: 100, ttlMs: 4_000 });
    await until('the tools have effects', () => files.every(({ file }) => linesIn(file) > 0));
    one.signal('SIGSTOP');
    await until('the host is alone', () => livingIn(one.hostPid ?? 0).length === 1);
    for (const { file } of files) expect(await growsNoMore(file)).toBe(true);
    expect(await one.gone()).toBe(false);
    one.signal('SIGCONT');
    await until('it has heard of it', () => one.lines.filter((line) => 'call' in line).length === 2);
    const results = one.lines.filter((line) => 'call' in line).map(({ result }) => result);
    expect(results).toEqual([1, 2].map(() => ({ status: 'killed', reason: 'watchdog' })));
  });
});

describe('a host that is killed while its executor is frozen', () => {
  it('takes its tool processes with it, by the signal that the kernel sends at a parent’s death', async () => {
    const files = ['spin', 'threads'].map((how) => ({ how, file: join(folder, how) }));
    const one = owner({ calls: files.map(({ how, file }) => hang(how, file)) });
    await until('the tools have effects', () => files.every(({ file }) => linesIn(file) > 0));
    one.signal('SIGSTOP');
    process.kill(one.hostPid ?? 0, 'SIGKILL');
    await until('nobody is left', () => livingIn(one.hostPid ?? 0).length === 0);
    for (const { file } of files) expect(await growsNoMore(file)).toBe(true);
    one.signal('SIGCONT');
    await until('it has heard of it', () => one.lines.some((line) => 'died' in line));
  });
});

describe('an executor that ends while its tools run', () => {
  it.each(ways)('takes them with it, killed by a signal that a process may handle: %s', async (how) => {
    const file = join(folder, 'effects');
    const one = owner({ calls: [hang(how, file)] });
    await until('the tool has effects', () => linesIn(file) > 0);
    one.signal('SIGTERM');
    await until('both sockets refuse', () => one.gone());
    expect(await growsNoMore(file)).toBe(true);
  });
});
