import { MAX_APPEND_BYTES } from '../limits';
import { newId, proposed, TestEngine } from '../testing/engine';
import { EventIndex } from './event-index';
import { FRAME_HEADER_BYTES, openFrame } from '../log/frame';
import { LOG_HEADER_BYTES } from '../log/header';
import type { WriteOutcome } from './event-writer';
import type { Expected } from './check-append';
import { visibleStream } from './stream-reading';

const none: Expected = { kind: 'no_stream' };
const any: Expected = { kind: 'any' };
const at = (revision: number): Expected => ({ kind: 'revision', revision });

let engine: TestEngine;

beforeEach(() => (engine = new TestEngine()));

function append(
  stream: string,
  expected: Expected,
  ...events: ReturnType<typeof proposed>[]
): Promise<WriteOutcome> {
  return engine.writer.append({ stream, expected, events });
}

async function idle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('appending', () => {
  it('answers with the last revision and the position of the last event', async () => {
    const outcome = await append('s', none, proposed(), proposed());
    const last = engine.index.streams.find('s')?.events[1] ?? -1;

    expect(outcome).toEqual({
      kind: 'written',
      lastRevision: 1,
      position: engine.index.table.position(last),
    });
  });

  it('decides against what waits for the disk, but shows and acknowledges nothing of it', async () => {
    const release = engine.disk.holdSync();
    const answers: string[] = [];
    const first = append('s', none, proposed()).then(() => answers.push('first'));
    const second = append('s', at(0), proposed()).then(() => answers.push('second'));
    const refused = append('s', at(0), proposed()).then((outcome) => answers.push(outcome.kind));
    await idle();

    expect(answers).toEqual([]);
    expect(visibleStream(engine.index, 's').kind).toBe('absent');
    release();
    await Promise.all([first, second, refused]);
    expect(answers).toEqual(['first', 'second', 'wrong_expected_version']);
    expect(engine.index.visible).toBe(2);
  });

  it('answers a repeat of what waits for the disk only when that is durable', async () => {
    const release = engine.disk.holdSync();
    const event = proposed();
    const answers: WriteOutcome[] = [];
    const both = [append('s', none, event), append('s', none, event)].map((each) =>
      each.then((outcome) => answers.push(outcome)),
    );
    await idle();
    expect(answers).toEqual([]);
    release();
    await Promise.all(both);

    expect(answers[1]).toEqual(answers[0]);
    expect(engine.index.table.count).toBe(1);
  });

  it('never answers after the disk failed', async () => {
    engine.disk.failNext = { on: 'sync', error: new Error('I/O error') };
    let answered = false;
    void append('s', none, proposed()).then(() => (answered = true));
    await idle();

    expect(engine.fatal).toEqual(new Error('I/O error'));
    expect(answered).toBe(false);
    expect(engine.index.visible).toBe(0);
  });

  it('puts all events of one append into one record, and positions are byte offsets', async () => {
    await append('s', none, proposed('A'), proposed('B'), proposed('C'));
    const frame = openFrame(engine.disk.bytes.subarray(LOG_HEADER_BYTES), {
      storeSeed: 1,
      offset: LOG_HEADER_BYTES,
    });
    const read = new EventIndex();
    read.addRecord(frame?.payload ?? Buffer.alloc(0), LOG_HEADER_BYTES + FRAME_HEADER_BYTES);

    expect(LOG_HEADER_BYTES + (frame?.size ?? 0)).toBe(engine.disk.bytes.length);
    expect([0, 1, 2].map((sequence) => read.table.type(sequence))).toEqual(['A', 'B', 'C']);
    expect([0, 1, 2].map((sequence) => read.table.position(sequence))).toEqual(
      [0, 1, 2].map((sequence) => engine.index.table.position(sequence)),
    );
  });

  it('takes an append of exactly the largest size and refuses one byte more', async () => {
    const sized = (bytes: number): ReturnType<typeof proposed> =>
      proposed('T', { data: Buffer.alloc(bytes - 2 - 10), metadata: Buffer.alloc(10) });

    expect((await append('s', none, sized(MAX_APPEND_BYTES))).kind).toBe('written');
    expect((await append('s', at(0), sized(MAX_APPEND_BYTES + 1))).kind).toBe('too_large');
    expect(
      (await append('s', at(0), sized(MAX_APPEND_BYTES / 2), sized(MAX_APPEND_BYTES / 2 + 1))).kind,
    ).toBe('too_large');
    expect(engine.index.table.count).toBe(1);
  });

  it('answers an empty append with the current revision and writes nothing', async () => {
    expect(await append('s', none)).toEqual({ kind: 'written', lastRevision: -1 });
    await append('s', none, proposed());

    expect(await append('s', at(0))).toEqual({ kind: 'written', lastRevision: 0 });
    expect(engine.disk.writes).toBe(1);
  });

  it('compares ids within one stream only', async () => {
    const event = proposed();
    await append('a', none, event);
    await append('b', none, proposed());

    expect(await append('b', none, event)).toEqual({ kind: 'wrong_expected_version', current: 0 });
    expect((await append('c', any, event)).kind).toBe('written');
    expect(engine.index.table.count).toBe(3);
  });

  it('is too busy when more waits for the disk than it may hold, and takes appends again afterwards', async () => {
    engine = new TestEngine({ maxPendingBytes: 1000 });
    const release = engine.disk.holdSync();
    const waiting = append('a', none, proposed('T', { data: Buffer.alloc(1000) }));
    expect(await append('b', none, proposed())).toEqual({ kind: 'too_busy' });
    release();
    await waiting;

    expect((await append('b', none, proposed())).kind).toBe('written');
  });

  it('refuses everything once it is closed', async () => {
    engine.writer.close();

    expect(await append('s', none, proposed())).toEqual({ kind: 'not_ready' });
    expect(await engine.writer.tombstone('s', any)).toEqual({ kind: 'not_ready' });
  });
});

describe('deleting', () => {
  it('hides a stream until the next append, which goes on numbering', async () => {
    await append('s', none, proposed(), proposed());
    expect((await engine.writer.delete('s', at(1))).kind).toBe('written');
    expect(visibleStream(engine.index, 's').kind).toBe('absent');

    expect(await append('s', none, proposed())).toMatchObject({ lastRevision: 2 });
    expect(visibleStream(engine.index, 's')).toMatchObject({
      kind: 'present',
      stream: { visibleMetadata: { truncateBefore: 2 } },
    });
  });

  it('stores the reopening in the same record as the events, behind them', async () => {
    await append('s', none, proposed('A'));
    await engine.writer.delete('s', any);
    const writes = engine.disk.writes;
    await append('s', any, proposed('B'));
    const types = [0, 1, 2, 3].map((sequence) => engine.index.table.type(sequence));

    expect(types).toEqual(['A', '$metadata', 'B', '$metadata']);
    expect(engine.disk.writes).toBe(writes + 1);
  });

  it('keeps what was deleted hidden when new metadata is set', async () => {
    await append('s', none, proposed(), proposed());
    await engine.writer.delete('s', any);
    await append('$$s', any, proposed('$metadata', { data: Buffer.from('{"$maxCount":5}') }));

    expect(visibleStream(engine.index, 's')).toMatchObject({
      stream: { visibleMetadata: { truncateBefore: 2, maxCount: 5 } },
    });
  });

  it('refuses to delete what never existed, and at another revision', async () => {
    expect(await engine.writer.delete('s', any)).toEqual({ kind: 'wrong_expected_version', current: -1 });
    await append('s', none, proposed());

    expect(await engine.writer.delete('s', at(4))).toEqual({ kind: 'wrong_expected_version', current: 0 });
  });

  it('tombstones for ever', async () => {
    await append('s', none, proposed());
    await engine.writer.tombstone('s', any);

    expect(visibleStream(engine.index, 's').kind).toBe('deleted');
    expect((await append('s', any, proposed())).kind).toBe('stream_deleted');
    expect((await engine.writer.tombstone('s', any)).kind).toBe('stream_deleted');
    expect((await engine.writer.delete('s', any)).kind).toBe('stream_deleted');
  });
});

describe('bodies', () => {
  it('come from the log when the memory for recent ones is used up', async () => {
    engine = new TestEngine({ recentBytes: 500 });
    for (let revision = -1; revision < 30; revision++) {
      const expected = revision < 0 ? none : at(revision);
      await append('s', expected, proposed(`T${revision + 1}`, { id: newId() }));
    }
    const wanted = [30, 0, 17, 5];
    const events = await engine.bodies.load(wanted);

    expect(events.map((event) => [event.type, event.revision])).toEqual(wanted.map((n) => [`T${n}`, n]));
  });
});
