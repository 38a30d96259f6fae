import { type AppendDecision, checkAppend, type Expected, type StreamView } from './check-append';

const [A, B, C, D, X] = 'ABCDX'.split('').map((letter) => Buffer.alloc(16, letter));

function stream(change: Partial<StreamView> & { ids?: (Buffer | undefined)[] } = {}): StreamView {
  const { ids = [], ...rest } = change;
  return {
    current: ids.length - 1,
    tombstoned: false,
    softDeleted: false,
    hasMetadata: false,
    hasIdAt: (revision, id) => ids[revision]?.equals(id) ?? false,
    recentRevisionOf: () => undefined,
    ...rest,
  };
}

/** Remembers all its ids as recent, too. */
function recent(...ids: (Buffer | undefined)[]): Partial<StreamView> & { ids: (Buffer | undefined)[] } {
  return {
    ids,
    recentRevisionOf: (id) => {
      const revision = ids.findIndex((each) => each?.equals(id));
      return revision < 0 ? undefined : revision;
    },
  };
}

const none: Expected = { kind: 'no_stream' };
const any: Expected = { kind: 'any' };
const exists: Expected = { kind: 'stream_exists' };
const at = (revision: number): Expected => ({ kind: 'revision', revision });

const append: AppendDecision = { kind: 'append' };
const wrong: AppendDecision = { kind: 'wrong_expected_version' };
const deleted: AppendDecision = { kind: 'stream_deleted' };
const repeat = (lastRevision: number): AppendDecision => ({ kind: 'idempotent', lastRevision });

type Case = [string, Parameters<typeof stream>[0], Expected, (Buffer | undefined)[], AppendDecision];

const cases: Case[] = [
  ['an exact revision that the stream has appends', { ids: [A] }, at(0), [B], append],
  ['an exact revision that the stream has appends even if an id repeats', { ids: [A] }, at(0), [A], append],
  ['an exact revision ahead of the stream is refused', { ids: [A] }, at(1), [B], wrong],
  ['an exact revision of an absent stream is refused', {}, at(0), [A], wrong],
  ['an exact revision behind the stream with other ids is refused', { ids: [A, B] }, at(0), [X], wrong],
  [
    'an exact revision behind the stream with its next ids is a repeat',
    { ids: [A, B, C] },
    at(0),
    [B, C],
    repeat(2),
  ],
  ['a repeat of the first part of an append succeeds', { ids: [A, B, C] }, at(-0), [B], repeat(1)],
  ['a repeat in another order is refused', { ids: [A, B, C] }, at(0), [C, B], wrong],
  ['a repeat that goes on with another id is refused', { ids: [A, B, C] }, at(0), [B, X], wrong],
  ['a repeat that goes on behind the end is refused', { ids: [A, B] }, at(0), [B, C], wrong],
  ['an empty append behind the stream is refused', { ids: [A, B] }, at(0), [], wrong],
  ['an empty append at the revision appends nothing', { ids: [A] }, at(0), [], append],
  ['no stream appends where there is none', {}, none, [A], append],
  ['no stream appends duplicate ids within one append', {}, none, [A, A], append],
  ['no stream is refused where there is one', { ids: [A] }, none, [B], wrong],
  ['no stream with the first ids of the stream is a repeat', { ids: [A, B] }, none, [A], repeat(0)],
  ['no stream with more than the first ids is refused', { ids: [A] }, none, [A, B], wrong],
  ['no stream reopens a soft-deleted stream', { ids: [A], softDeleted: true }, none, [B], append],
  [
    'no stream on a soft-deleted stream still knows a repeat',
    { ids: [A], softDeleted: true },
    none,
    [A],
    repeat(0),
  ],
  [
    'no stream on a soft-deleted stream with an old id before a new one is refused',
    { ids: [A], softDeleted: true },
    none,
    [A, B],
    wrong,
  ],
  ['no stream after a reopening does not know the repeat of it', { ids: [A, B] }, none, [B], wrong],
  ['an exact revision reopens a soft-deleted stream', { ids: [A], softDeleted: true }, at(0), [B], append],
  ['any appends to an absent stream', {}, any, [A], append],
  ['any appends to an existing stream', { ids: [A] }, any, [B], append],
  ['any with recent ids is a repeat', recent(A, B), any, [A, B], repeat(1)],
  ['any with ids that are no longer recent is stored again', { ids: [A] }, any, [A], append],
  ['any with a recent id followed by a new one is refused', recent(A), any, [A, B], wrong],
  ['any with a new id first is stored', recent(A), any, [B, A], append],
  ['any without events appends nothing', { ids: [A] }, any, [], append],
  ['any reopens a soft-deleted stream', { ids: [A], softDeleted: true }, any, [B], append],
  ['stream exists is refused for an absent stream', {}, exists, [A], wrong],
  ['stream exists appends to a stream', { ids: [A] }, exists, [B], append],
  ['stream exists appends where only metadata is', { hasMetadata: true }, exists, [A], append],
  ['stream exists with recent ids is a repeat', recent(A, B), exists, [B], repeat(1)],
  [
    'stream exists finds a soft-deleted stream deleted',
    { ids: [A], softDeleted: true },
    exists,
    [B],
    deleted,
  ],
  ['a tombstone refuses any', { ids: [A], tombstoned: true }, any, [B], deleted],
  ['a tombstone refuses the exact revision', { ids: [A], tombstoned: true }, at(0), [B], deleted],
  ['a tombstone refuses even a repeat', { ids: [A], tombstoned: true }, none, [A], deleted],
  ['a tombstone refuses stream exists', { ids: [A], tombstoned: true }, exists, [D], deleted],
];

describe('the append check of EventStoreDB', () => {
  it.each(cases)('%s', (...[, state, expected, ids, decision]: Case) => {
    const present = ids.filter((id) => id !== undefined);

    expect(checkAppend(stream(state), expected, present)).toEqual(decision);
  });
});
