import { execFileSync } from 'node:child_process';
import {
  growsNoMore,
  HostWorld,
  linesIn,
  livingIn,
  request,
  requireBuilt,
  until,
} from '../testing/host-world';
import { monotonicMs } from '../host/watchdog';

// Processes are started and killed here, on machines that may be busy: this is no measure of anything.
jest.setTimeout(120_000);

let world: HostWorld;
beforeAll(requireBuilt);
beforeEach(() => {
  world = new HostWorld();
});
afterEach(() => world.end());

describe('a tool past its deadline', () => {
  const ways = ['spin', 'exec', 'fifo', 'deaf', 'threads', 'grandchild', 'orphan', 'jobControl', 'noisy'];
  const withoutMark = ['exec', 'fifo', 'noisy'];

  it('is gone with all that it started when its result settles, in whatever way it hangs, and its neighbours notice nothing', async () => {
    const host = await world.start(['hanging.mjs'], { slots: ways.length + 1 });
    const fifo = world.path('pipe-that-nobody-writes');
    execFileSync('mkfifo', [fifo]);
    const sibling = host.run(request('slow', { ms: 6_000 }));
    const ended = await Promise.all(
      ways.map(async (how, index) => {
        const file = world.path(how);
        const limit = { deadlineMs: 3_000 + 200 * index };
        const result = await host.run(request('hang', { how, file, fifo }, limit)).result;
        const quiet = await growsNoMore(file);
        return { how, result, quiet, acted: linesIn(file) > 0 };
      }),
    );
    expect(ended).toEqual(
      ways.map((how) => ({
        how,
        result: { status: 'killed', reason: 'deadline' },
        quiet: true,
        acted: !withoutMark.includes(how),
      })),
    );
    expect(await sibling.result).toEqual({ status: 'returned', content: [{ type: 'text', text: 'slept' }] });
    // The host and the sibling's process: no child of any of them.
    expect(livingIn(host.pid)).toHaveLength(2);
  });

  it('leaves a host that goes on running calls', async () => {
    const host = await world.start(['hanging.mjs', 'plain.mjs'], { slots: 1 });
    expect((await host.run(request('hang', { how: 'spin' }, { deadlineMs: 100 })).result).status).toBe(
      'killed',
    );
    expect((await host.run(request('echo', { a: 1 })).result).status).toBe('returned');
  });
});

describe('calls and processes', () => {
  it('run calls with an effect in processes of their own, up to the slots, and the next one after them', async () => {
    const host = await world.start(['hanging.mjs', 'answers.mjs'], { slots: 2 });
    const one = host.run(request('slow', { ms: 400 })).result;
    const two = host.run(request('slow', { ms: 400 })).result;
    const pids = [host.run(request('answer', { how: 'pid' })), host.run(request('answer', { how: 'pid' }))];
    const results = await Promise.all([one, two, ...pids.map(({ result }) => result)]);
    expect(results.map(({ status }) => status)).toEqual(['returned', 'returned', 'returned', 'returned']);
    // The host and two tool processes.
    expect(livingIn(host.pid)).toHaveLength(3);
  });

  it('keep answering checks and readbacks while all slots are taken', async () => {
    const host = await world.start(['hanging.mjs', 'answers.mjs'], { slots: 1 });
    const busy = host.run(request('hang', { how: 'spin' }));
    expect(await host.check(request('answer', { how: 'refused' }))).toEqual({
      ok: false,
      refuse: 'not like this',
    });
    expect(await host.readback(request('answer', {}))).toMatchObject({ effect: 'applied' });
    busy.kill('stop');
    expect(await busy.result).toEqual({ status: 'killed', reason: 'stop' });
  });

  it('run reads again that shared a process which had to be killed', async () => {
    const host = await world.start(['hanging.mjs'], { slots: 1 });
    const reads = [1, 2, 3].map(() => host.run(request('slow_read', { ms: 800 })).result);
    const hanging = host.run(request('hang_read', { how: 'spin' }, { deadlineMs: 300 })).result;
    expect(await hanging).toEqual({ status: 'killed', reason: 'deadline' });
    expect(await Promise.all(reads)).toEqual(
      [1, 2, 3].map(() => ({ status: 'returned', content: [{ type: 'text', text: 'slept' }] })),
    );
  });

  it('do not make a read wait for one that blocks the process that they would share', async () => {
    const host = await world.start(['hanging.mjs', 'plain.mjs'], { slots: 1 });
    const hanging = host.run(request('hang_read', { how: 'exec' }, { deadlineMs: 20_000 }));
    const quick = await Promise.all(
      [1, 2, 3].map(() => host.run(request('echo', {}, { deadlineMs: 15_000 })).result),
    );
    expect(quick.map(({ status }) => status)).toEqual(['returned', 'returned', 'returned']);
    hanging.kill('stop');
    await hanging.result;
  });

  it('call a tool that ended its process crashed', async () => {
    const host = await world.start(['hanging.mjs']);
    expect(await host.run(request('crash')).result).toEqual({ status: 'killed', reason: 'crashed' });
    expect((await host.run(request('slow', { ms: 1 })).result).status).toBe('returned');
  });

  it('tell an unknown tool from one that failed', async () => {
    const host = await world.start(['plain.mjs']);
    expect(await host.run(request('nothing')).result).toMatchObject({ status: 'threw', notApplied: true });
  });
});

describe('an interrupt', () => {
  it('lets a tool that listens say what it did', async () => {
    const host = await world.start(['hanging.mjs']);
    const interrupt = async (word: string): Promise<unknown> => {
      const file = world.path(word);
      const run = host.run(request('polite', { word, file }));
      await until('it has begun', () => linesIn(file) > 0);
      run.kill('interrupt');
      return run.result;
    };
    expect(await interrupt('returns')).toEqual({
      status: 'returned',
      content: [{ type: 'text', text: 'stopped' }],
    });
    expect(await interrupt('throws')).toEqual({ status: 'killed', reason: 'interrupt' });
    expect(await interrupt('not_applied')).toMatchObject({ status: 'threw', notApplied: true });
  });

  it('kills a tool that does not listen', async () => {
    const host = await world.start(['hanging.mjs']);
    const file = world.path('effects');
    const run = host.run(request('hang', { how: 'grandchild', file }));
    await until('it has an effect', () => linesIn(file) > 0);
    run.kill('interrupt');
    expect(await run.result).toEqual({ status: 'killed', reason: 'interrupt' });
    expect(await growsNoMore(file)).toBe(true);
  });
});

describe('the lease', () => {
  it('is needed to start anything, and a call that was refused for it has not begun', async () => {
    const host = await world.startWithoutLease(['answers.mjs']);
    expect(await host.run(request('answer', { how: 'text' })).result).toEqual({
      status: 'killed',
      reason: 'watchdog',
      neverStarted: true,
    });
    expect(await host.check(request('answer', {}))).toMatchObject({ ok: false, notNow: true });
    host.extend(monotonicMs() + 60_000);
    expect((await host.run(request('answer', { how: 'text' })).result).status).toBe('returned');
  });

  it('ends every tool when its moment passes, and lets tools start again once it is renewed', async () => {
    const host = await world.startWithoutLease(['hanging.mjs']);
    const file = world.path('effects');
    host.extend(monotonicMs() + 3_000);
    const run = host.run(request('hang', { how: 'grandchild', file }));
    expect(await run.result).toEqual({ status: 'killed', reason: 'watchdog' });
    expect(await growsNoMore(file)).toBe(true);
    expect(livingIn(host.pid)).toEqual([host.pid]);
    host.extend(monotonicMs() + 60_000);
    expect((await host.run(request('slow', { ms: 1 })).result).status).toBe('returned');
  });

  it('may lapse while nothing is held without idle processes being ended, and stands until then', async () => {
    const host = await world.startWithoutLease(['answers.mjs']);
    const run = (how: string): Promise<unknown> => host.run(request('answer', { how })).result;
    const lapse = monotonicMs() + 4_000;
    host.extend(lapse);
    const pid = await run('pid');
    host.rest();
    expect(await run('pid')).toEqual(pid);
    host.rest();
    await until('it has lapsed', () => monotonicMs() > lapse + 50);
    expect(await host.check(request('answer'))).toMatchObject({ notNow: true });
    host.extend(monotonicMs() + 60_000);
    expect(await run('pid')).toEqual(pid);
  });
});

describe('killing all', () => {
  it('returns once no tool process lives, idle ones and orphans included', async () => {
    const host = await world.start(['hanging.mjs']);
    const ways = ['spin', 'orphan', 'jobControl'];
    const runs = ways.map((how) => host.run(request('hang', { how, file: world.path(how) })));
    await until('they have effects', () => ways.every((how) => linesIn(world.path(how)) > 0));
    await host.killAll('stop');
    expect(livingIn(host.pid)).toEqual([host.pid]);
    for (const how of ways) expect(await growsNoMore(world.path(how))).toBe(true);
    const results = await Promise.all(runs.map(({ result }) => result));
    expect(results).toEqual(runs.map(() => ({ status: 'killed', reason: 'stop' })));
  });
});

describe('a host that dies first', () => {
  it('is reported once all its processes are gone, and its calls have crashed', async () => {
    const host = await world.start(['hanging.mjs']);
    const file = world.path('effects');
    const died = new Promise<boolean>((resolve) => host.onDied(() => resolve(growsNoMore(file))));
    const run = host.run(request('hang', { how: 'orphan', file }));
    await until('it has an effect', () => linesIn(file) > 0);
    process.kill(host.pid, 'SIGKILL');
    expect(await died).toBe(true);
    expect(await run.result).toEqual({ status: 'killed', reason: 'crashed' });
    expect(livingIn(host.pid)).toEqual([]);
    expect(await host.run(request('slow', { ms: 1 })).result).toMatchObject({ neverStarted: true });
  });

  it('is ended like a dead one when it is frozen, so that no deadline is held up for ever', async () => {
    const host = await world.start(['hanging.mjs']);
    const file = world.path('effects');
    const died = new Promise<void>((resolve) => host.onDied(resolve));
    const run = host.run(request('hang', { how: 'spin', file }, { deadlineMs: 5_000 }));
    await until('it has an effect', () => linesIn(file) > 0);
    host.extend(monotonicMs() + 600_000);
    // Blocked, so that the host's last answer before the freeze is read after the question that it cannot answer.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    process.kill(host.pid, 'SIGSTOP');
    host.extend(monotonicMs() + 600_001);
    await died;
    expect(await run.result).toEqual({ status: 'killed', reason: 'crashed' });
    expect(livingIn(host.pid)).toEqual([]);
  });

  it('is not reported when it was stopped', async () => {
    const host = await world.start(['hanging.mjs']);
    let died = false;
    host.onDied(() => (died = true));
    await host.stop();
    expect(livingIn(host.pid)).toEqual([]);
    expect(died).toBe(false);
  });
});
