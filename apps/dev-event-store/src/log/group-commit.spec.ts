import { MAX_GROUP_BYTES } from '../limits';
import { MemoryDisk } from '../testing/memory-disk';
import { FRAME_HEADER_BYTES, openFrame } from './frame';
import { GroupCommit } from './group-commit';

const START = 64;

function frameOf(payload: string | Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(FRAME_HEADER_BYTES), Buffer.from(payload)]);
}

function setUp(): { disk: MemoryDisk; commit: GroupCommit; durable: number[]; errors: unknown[] } {
  const disk = new MemoryDisk();
  const durable: number[] = [];
  const errors: unknown[] = [];
  const commit = new GroupCommit({
    disk,
    storeSeed: 1,
    end: START,
    onDurable: (end) => durable.push(end),
    onFatal: (error) => errors.push(error),
  });
  return { disk, commit, durable, errors };
}

/** Lets everything go on that does not wait for the disk. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await idle();
  return settled;
}

describe('group commit', () => {
  it('covers everything that waits with one write and one sync', async () => {
    const { disk, commit } = setUp();
    const ends = ['a', 'b', 'c'].map((payload) => commit.stage(frameOf(payload)));

    await Promise.all(ends.map((end) => commit.durable(end)));
    expect([disk.writes, disk.syncs]).toEqual([1, 1]);
    expect(disk.bytes.length).toBe(ends[2]);
  });

  it('keeps no promise before the sync that covers it has returned', async () => {
    const { disk, commit, durable } = setUp();
    const release = disk.holdSync();
    const first = commit.durable(commit.stage(frameOf('a')));
    expect(await isSettled(first)).toBe(false);
    const second = commit.durable(commit.stage(frameOf('b')));
    const releaseSecond = disk.holdSync();
    release();

    expect(await isSettled(first)).toBe(true);
    expect(await isSettled(second)).toBe(false);
    expect(durable).toHaveLength(1);
    releaseSecond();
    await second;
  });

  it('announces what is durable before it keeps the promise', async () => {
    const { commit, durable } = setUp();
    const end = commit.stage(frameOf('a'));

    await commit.durable(end).then(() => expect(durable).toEqual([end]));
  });

  it('writes into each record how far the log was synced', async () => {
    const { disk, commit } = setUp();
    const end = commit.stage(frameOf('a'));
    await commit.durable(end);
    await commit.durable(commit.stage(frameOf('b')));

    const opened = [START, end].map((offset) =>
      openFrame(disk.bytes.subarray(offset), { storeSeed: 1, offset }),
    );
    expect(opened.map((frame) => frame?.syncedThrough)).toEqual([START, end]);
  });

  it('splits what is too much for one write, and promises each part by itself', async () => {
    const { disk, commit, durable } = setUp();
    const large = Buffer.alloc(MAX_GROUP_BYTES - 100, 1);
    const ends = [commit.stage(frameOf(large)), commit.stage(frameOf(large))];

    await Promise.all(ends.map((end) => commit.durable(end)));
    expect(durable).toEqual(ends);
    expect(disk.syncs).toBe(2);
  });

  it.each(['write', 'sync'] as const)('stops for ever after a failed %s', async (on) => {
    const { disk, commit, durable, errors } = setUp();
    disk.failNext = { on, error: new Error('no space') };
    const first = commit.durable(commit.stage(frameOf('a')));
    await idle();
    const second = commit.durable(commit.stage(frameOf('b')));

    expect(await isSettled(first)).toBe(false);
    expect(await isSettled(second)).toBe(false);
    expect(errors).toEqual([new Error('no space')]);
    expect(durable).toEqual([]);
    expect(disk.writes).toBe(1);
  });
});
