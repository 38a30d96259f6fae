/** The revision an append expects its stream to have. */
export type Expected =
  | { kind: 'any' }
  | { kind: 'stream_exists' }
  | { kind: 'no_stream' }
  | { kind: 'revision'; revision: number };

/** What the check needs to know about a stream, appends that wait for their fdatasync included. */
export interface StreamView {
  /** Last revision, -1 if it has no event. */
  current: number;
  tombstoned: boolean;
  softDeleted: boolean;
  hasMetadata: boolean;
  /** Whether there is an event at `revision` and it has this id. */
  hasIdAt(revision: number, id: Buffer): boolean;
  /** Revision of a recently appended event of this stream with this id. */
  recentRevisionOf(id: Buffer): number | undefined;
}

export type AppendDecision =
  | { kind: 'append' }
  | { kind: 'idempotent'; lastRevision: number }
  | { kind: 'wrong_expected_version' }
  | { kind: 'stream_deleted' };

const APPEND: AppendDecision = { kind: 'append' };
const WRONG: AppendDecision = { kind: 'wrong_expected_version' };
const DELETED: AppendDecision = { kind: 'stream_deleted' };

/**
 * EventStoreDB's append check: the same revision always appends, even if ids repeat; behind the stream's end, ids that
 * equal the stored ones in order make it a repeat that succeeds without storing; everything else is refused.
 */
export function checkAppend(stream: StreamView, expected: Expected, ids: readonly Buffer[]): AppendDecision {
  if (stream.tombstoned) return DELETED;
  if (expected.kind === 'any') return checkRecent(stream, ids);
  if (expected.kind === 'stream_exists') {
    if (stream.softDeleted) return DELETED;
    return stream.current < 0 && !stream.hasMetadata ? WRONG : checkRecent(stream, ids);
  }
  const revision = expected.kind === 'no_stream' ? -1 : expected.revision;
  if (revision === stream.current) return APPEND;
  if (revision > stream.current) return WRONG;
  return checkRepeat(stream, expected, ids);
}

function checkRecent(stream: StreamView, ids: readonly Buffer[]): AppendDecision {
  let last: number | undefined;
  for (const [index, id] of ids.entries()) {
    const revision = stream.recentRevisionOf(id);
    // A repeat that goes on with new events is neither a repeat nor new: refused, as the real server does.
    if (revision === undefined) return index === 0 ? APPEND : WRONG;
    last = revision;
  }
  return last === undefined ? APPEND : { kind: 'idempotent', lastRevision: last };
}

function checkRepeat(stream: StreamView, expected: Expected, ids: readonly Buffer[]): AppendDecision {
  let revision = expected.kind === 'revision' ? expected.revision : -1;
  for (const [index, id] of ids.entries()) {
    revision += 1;
    if (stream.hasIdAt(revision, id)) continue;
    const reopens = index === 0 && expected.kind === 'no_stream' && stream.softDeleted;
    return reopens ? APPEND : WRONG;
  }
  return ids.length === 0 ? WRONG : { kind: 'idempotent', lastRevision: revision };
}
