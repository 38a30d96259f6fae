import { proposed, TestEngine } from '../testing/engine';
import { scanAll } from './all-reading';
import { selectFromStream, visibleLength, visibleStream } from './stream-reading';

let engine: TestEngine;

beforeEach(async () => {
  engine = new TestEngine();
  for (let revision = 0; revision < 10; revision++) {
    engine.nowMs += 1000;
    await engine.writer.append({
      stream: 's',
      expected: { kind: 'any' },
      events: [proposed(`T${revision}`)],
    });
  }
});

interface Reading {
  from?: number;
  backwards?: boolean;
  maxCount?: number;
}

function read({ from = 0, backwards = false, maxCount = Infinity }: Reading): string[] {
  const state = visibleStream(engine.index, 's');
  if (state.kind !== 'present') return [state.kind];
  const options = { from, backwards, maxCount, nowMs: engine.nowMs };
  return selectFromStream(engine.index, state.stream, options).map((sequence) =>
    engine.index.table.type(sequence),
  );
}

async function setMetadata(metadata: object): Promise<void> {
  const data = Buffer.from(JSON.stringify(metadata));
  const events = [proposed('$metadata', { data })];
  await engine.writer.append({ stream: '$$s', expected: { kind: 'any' }, events });
}

const T = (...revisions: number[]): string[] => revisions.map((revision) => `T${revision}`);

describe('reading a stream', () => {
  it.each<[string, Reading, string[]]>([
    ['forwards from the start', {}, T(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)],
    ['forwards from a revision, inclusive', { from: 8 }, T(8, 9)],
    ['forwards beyond the end', { from: 10 }, []],
    ['forwards with a count', { from: 3, maxCount: 2 }, T(3, 4)],
    ['backwards from the end', { from: Infinity, backwards: true, maxCount: 3 }, T(9, 8, 7)],
    ['backwards from a revision, inclusive', { from: 2, backwards: true }, T(2, 1, 0)],
    ['backwards from beyond the end', { from: 99, backwards: true, maxCount: 1 }, T(9)],
    ['backwards from the start', { from: 0, backwards: true }, T(0)],
  ])('goes %s', (_title, reading, types) => {
    expect(read(reading)).toEqual(types);
  });

  it('shows what $maxCount leaves', async () => {
    await setMetadata({ $maxCount: 3 });

    expect(read({})).toEqual(T(7, 8, 9));
    expect(read({ from: Infinity, backwards: true })).toEqual(T(9, 8, 7));
  });

  it('shows what $tb leaves', async () => {
    await setMetadata({ $tb: 8 });

    expect(read({})).toEqual(T(8, 9));
  });

  it('shows what $maxAge leaves, and an empty stream is still found when all have expired', async () => {
    await setMetadata({ $maxAge: 2 });
    expect(read({})).toEqual(T(7, 8, 9));
    engine.nowMs += 60_000;

    expect(read({})).toEqual([]);
  });

  it('counts only events that are shown', async () => {
    await setMetadata({ $maxAge: 2 });

    expect(read({ maxCount: 2 })).toEqual(T(7, 8));
  });

  it('shows of a metadata stream the last event only', async () => {
    await setMetadata({ $maxCount: 1 });
    await setMetadata({ $maxCount: 2 });
    const state = visibleStream(engine.index, '$$s');
    const options = { from: 0, backwards: false, maxCount: Infinity, nowMs: engine.nowMs };

    expect(state.kind === 'present' && selectFromStream(engine.index, state.stream, options)).toEqual([11]);
  });

  it('does not see events or metadata that wait for the disk', async () => {
    const release = engine.disk.holdSync();
    const pending = [
      engine.writer.append({ stream: 's', expected: { kind: 'any' }, events: [proposed('T10')] }),
      setMetadata({ $maxCount: 1 }),
    ];
    const stream = engine.index.streams.ensure('s');

    expect(visibleLength(engine.index, stream)).toBe(10);
    expect(read({ from: 8 })).toEqual(T(8, 9));
    release();
    await Promise.all(pending);
    expect(read({})).toEqual(T(10));
  });
});

describe('metadata that waits for a later sync than the events before it', () => {
  it('is not obeyed when those events become visible', async () => {
    const releaseFirst = engine.disk.holdSync();
    const first = engine.writer.append({
      stream: 's',
      expected: { kind: 'any' },
      events: [proposed('T10')],
    });
    while (engine.disk.syncs < 11) await new Promise((resolve) => setImmediate(resolve));
    const releaseSecond = engine.disk.holdSync();
    const second = setMetadata({ $maxCount: 1 });
    releaseFirst();
    await first;
    expect(read({ from: 8 })).toEqual(T(8, 9, 10));
    releaseSecond();
    await second;

    expect(read({})).toEqual(T(10));
  });
});

describe('scanning $all', () => {
  it('gives wanted events only, and says where to go on', () => {
    const filter = (_stream: string, type: string): boolean => Number(type.slice(1)) % 2 === 0;

    expect(scanAll(engine.index, { start: 0, stop: 10, filter, maxEvents: 2 })).toEqual({
      wanted: [0, 2],
      next: 3,
    });
    expect(scanAll(engine.index, { start: 3, stop: 10, filter, maxEvents: 99 })).toEqual({
      wanted: [4, 6, 8],
      next: 10,
    });
    expect(scanAll(engine.index, { start: 9, stop: -1, filter, maxEvents: 2 })).toEqual({
      wanted: [8, 6],
      next: 5,
    });
  });

  it('finds the first event at or behind a position', () => {
    const { table, visible } = engine.index;

    expect(table.firstAtOrAfter(0, visible)).toBe(0);
    expect(table.firstAtOrAfter(table.position(4), visible)).toBe(4);
    expect(table.firstAtOrAfter(table.position(4) + 1, visible)).toBe(5);
    expect(table.firstAtOrAfter(table.position(9) + 1, visible)).toBe(10);
  });
});
