/** What happened outside against what was on record at that moment: R1, R8, R9, R12, R16. */
import { callStream } from '@writ/contracts';
import {
  resultsOf,
  stagedCalls,
  type Committed,
  type Evidence,
  type Staged,
  type Violation,
} from './history';

const broken = (rule: string, what: string, at: number): Violation => ({ rule, kind: 'safety', what, at });

export function checkEffects(evidence: Evidence): readonly Violation[] {
  const staged = stagedCalls(evidence.events);
  const results = resultsOf(evidence.events);
  return [
    ...checkBeginnings(evidence, staged),
    ...checkCounts(evidence, staged),
    ...checkTruth(evidence, results),
    ...checkSegments(evidence, staged, results),
  ];
}

/** R1 and R16: a tool's code began under a staged call, under a start on record, and once per epoch. */
function checkBeginnings(evidence: Evidence, staged: ReadonlyMap<string, Staged>): readonly Violation[] {
  const found: Violation[] = [];
  const begunUnder = new Set<string>();
  for (const { callId, effectClass, epoch, logLength } of evidence.outside.begun) {
    const stagedEvent = staged.get(callId);
    if (stagedEvent === undefined || evidence.indexOf(stagedEvent.position) >= logLength)
      found.push(broken('R1', `the tool of ${callId} began before its call was staged`, logLength));
    if (effectClass !== 'read' && !isStarted(evidence, { callId, epoch, logLength }))
      found.push(
        broken('R16', `the tool of ${callId} began without a start on record in epoch ${epoch}`, logLength),
      );
    const under = `${callId} ${epoch}`;
    if (begunUnder.has(under))
      found.push(broken('R16', `the tool of ${callId} began twice in epoch ${epoch}`, logLength));
    begunUnder.add(under);
  }
  return found;
}

/** A claim gives its epoch itself; a rerun starts within the epoch that a takeover or a person gave. */
function isStarted(
  { ofStream, indexOf }: Evidence,
  {
    callId,
    epoch,
    logLength,
  }: { readonly callId: string; readonly epoch: number; readonly logLength: number },
): boolean {
  const own = ofStream(callStream(callId)).filter(({ revision }) => revision >= epoch);
  const nextEpoch = own.find(({ type, revision }) => revision > epoch && type === 'ToolExecutionTakenOver');
  return own.some(
    ({ type, revision, position }) =>
      type === 'ToolExecutionStarted' &&
      indexOf(position) < logLength &&
      (nextEpoch === undefined || revision < nextEpoch.revision),
  );
}

/**
 * R9 by class: at most one effect of a call, or for idempotent tools one per start, which its target takes for one by the
 * key; none of readers, and none without a start on record. A key is one call's own.
 */
function checkCounts(evidence: Evidence, staged: ReadonlyMap<string, Staged>): readonly Violation[] {
  const { ofStream, outside } = evidence;
  const keys = new Map([...staged].map(([callId, { data }]) => [callId, data.idempotencyKey]));
  const found: Violation[] = [];
  const counts = new Map<string, number>();
  const callOf = new Map<string, string>();
  for (const { callId, key, effectClass, epoch, logLength } of outside.applied) {
    if ((callOf.get(key) ?? callId) !== callId || key !== keys.get(callId))
      found.push(broken('R9', `${callId} took effect under a key that is not its own`, logLength));
    callOf.set(key, callId);
    if (!isStarted(evidence, { callId, epoch, logLength }))
      found.push(broken('R1', `${callId} took effect without a start on record`, logLength));
    const count = (counts.get(callId) ?? 0) + 1;
    counts.set(callId, count);
    const starts = ofStream(callStream(callId)).filter(({ type }) => type === 'ToolExecutionStarted').length;
    const most = effectClass === 'idempotent' ? starts : effectClass === 'read' ? 0 : 1;
    if (count > most)
      found.push(
        broken('R9', `${callId} (${effectClass}) took effect ${count} times, ${most} allowed`, logLength),
      );
  }
  return found;
}

/** R7, R8: a result never says `none` of what took effect, as refused, denied and skipped ones do, nor `applied` of what did not. */
function checkTruth(
  { outside, indexOf }: Evidence,
  results: ReadonlyMap<string, readonly Committed[]>,
): readonly Violation[] {
  const applied = new Map(outside.applied.map(({ callId, logLength }) => [callId, logLength]));
  return [...results.values()].flat().flatMap(({ data, position }) => {
    const { callId, effect, outcome } = data;
    const isLie =
      (effect === 'none' && applied.has(callId)) || (effect === 'applied' && !applied.has(callId));
    return isLie
      ? [
          broken(
            'R8',
            `the result of ${callId} says ${outcome}, ${effect}; the world says otherwise`,
            // A word may have become a lie later, by what was then done in spite of it.
            Math.max(indexOf(position), applied.get(callId) ?? 0),
          ),
        ]
      : [];
  });
}

/** R12: nothing of a later segment begins before every result of the earlier ones is on record. */
function checkSegments(
  { outside, indexOf }: Evidence,
  staged: ReadonlyMap<string, Staged>,
  results: ReadonlyMap<string, readonly Committed[]>,
): readonly Violation[] {
  return outside.begun.flatMap(({ callId, logLength }) => {
    const own = staged.get(callId);
    if (own === undefined) return [];
    const earlier = [...staged.values()].filter(
      ({ data, stream }) =>
        stream === own.stream &&
        data.turnId === own.data.turnId &&
        data.step === own.data.step &&
        (data.segment ?? 0) < (own.data.segment ?? 0),
    );
    const open = earlier.filter(({ data }) => {
      const [result] = results.get(data.callId) ?? [];
      return result === undefined || indexOf(result.position) >= logLength;
    });
    return open.length === 0
      ? []
      : [
          broken(
            'R12',
            `${callId} began while ${open.length} calls of earlier segments were open`,
            logLength,
          ),
        ];
  });
}
