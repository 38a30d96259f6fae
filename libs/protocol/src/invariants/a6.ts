import type { EffectClass, WritEvent } from '@writ/contracts';
import {
  callsOf,
  finding,
  isBefore,
  isType,
  type Finding,
  type History,
  type RecordedCall,
  type RuleReport,
} from './history';

/** Starts of one call that nobody ordered: at most three epochs may run it (R9). */
const mostStarts = 3;

interface Evidence {
  readonly fencedDefinitions: ReadonlySet<string>;
  readonly ends: ReadonlyMap<string, WritEvent<'LeaseEnded'>>;
}

/** What has been seen of a call up to the event at hand. */
interface Progress {
  readonly call: RecordedCall;
  readonly evidence: Evidence;
  readonly epochsStarted: Set<number>;
  /** The newest epoch and who holds the call under it. */
  holder?: { readonly epoch: number; readonly instance: string };
  lastStart?: WritEvent<'ToolExecutionStarted'>;
  sinceLastStart: {
    takeover?: WritEvent<'ToolExecutionTakenOver'>;
    readback?: WritEvent<'ReadbackRecorded'>;
    order?: WritEvent<'DoubtResolved'>;
  };
  /** Some holder that had started the tool was superseded as merely silent: it may still act. */
  silentRun: boolean;
  /** Starts that no person ordered. */
  unordered: number;
}

/**
 * A6: one start per epoch; a second only after a takeover that R9 allows, with the readback or the person's order that
 * it needs. A takeover relies on the recorded end of its predecessor's lease and claims no more than that says.
 */
export function checkA6(history: History): RuleReport {
  const calls = callsOf(history).filter((call) => call.events.some(isType('ToolExecutionStarted')));
  const published = history.filter(isType('ToolManifestPublished')).flatMap((event) => event.data.tools);
  const evidence: Evidence = {
    fencedDefinitions: new Set(published.filter((tool) => tool.fenced).map((tool) => tool.definitionDigest)),
    ends: new Map(
      history.filter(isType('LeaseEnded')).map((event) => [`${event.stream}@${event.revision}`, event]),
    ),
  };
  return { checked: calls.length, findings: calls.flatMap((call) => checkCall(call, evidence)) };
}

function checkCall(call: RecordedCall, evidence: Evidence): Finding[] {
  const seen: Progress = {
    call,
    evidence,
    epochsStarted: new Set(),
    sinceLastStart: {},
    silentRun: false,
    unordered: 0,
  };
  return call.events.flatMap((event) => {
    switch (event.type) {
      case 'ToolExecutionStarted':
        return takeStart(event, seen);
      case 'ToolExecutionTakenOver':
        return takeTakeover(event, seen);
      case 'ReadbackRecorded':
        seen.sinceLastStart.readback = event;
        return [];
      case 'DoubtResolved':
        if (event.data.rerun) seen.sinceLastStart.order = event;
        return [];
      default:
        return [];
    }
  });
}

function takeStart(start: WritEvent<'ToolExecutionStarted'>, seen: Progress): Finding[] {
  const { call, evidence } = seen;
  const epoch = epochOf(start);
  const { lastStart, sinceLastStart } = seen;
  const { takeover, readback, order } = sinceLastStart;
  const terms = {
    effectClass: call.staged[0]?.data.effectClass ?? ('irreversible' as const),
    fenced: evidence.fencedDefinitions.has(start.data.definitionDigest),
  };
  const twice = seen.epochsStarted.has(epoch) ? `a second time under epoch ${epoch}` : undefined;
  const problem = twice ?? (lastStart && forbidden(seen, start, terms));
  seen.epochsStarted.add(epoch);
  seen.unordered += order ? 0 : 1;
  seen.holder = { epoch, instance: start.data.instance };
  seen.lastStart = start;
  seen.sinceLastStart = {};
  const tooOften = seen.unordered > mostStarts ? `more than ${mostStarts} times` : undefined;
  return [problem, tooOften]
    .filter((text) => text !== undefined)
    .map((text) =>
      finding('A6', `call ${call.callId} was started ${text}`, [start, lastStart, takeover, readback, order]),
    );
}

/** Why a start after another one may not be, or undefined. */
function forbidden(
  { sinceLastStart, silentRun }: Progress,
  start: WritEvent<'ToolExecutionStarted'>,
  terms: { readonly effectClass: EffectClass; readonly fenced: boolean },
): string | undefined {
  const { takeover, readback, order } = sinceLastStart;
  if (order)
    return order.data.effect === 'not_applied'
      ? undefined
      : 'again on an order that does not say not applied';
  if (!takeover || start.data.epoch !== takeover.revision) return 'again without a takeover';
  if (start.data.instance !== takeover.data.instance) return 'again by another than who took it over';
  switch (terms.effectClass) {
    case 'read':
    case 'idempotent':
      return undefined;
    case 'irreversible':
      return 'again although it is irreversible and nobody ordered it';
    case 'reconcilable':
      if (readback?.data.effect !== 'not_applied') return 'again without a readback that says not applied';
      return silentRun && !terms.fenced ? 'again although its earlier holder may still act' : undefined;
  }
}

function takeTakeover(takeover: WritEvent<'ToolExecutionTakenOver'>, seen: Progress): Finding[] {
  const { callId, leaseEnded, holder, instance } = takeover.data;
  const end = seen.evidence.ends.get(`${leaseEnded.stream}@${leaseEnded.revision}`);
  const before = seen.holder;
  const ran = seen.lastStart !== undefined && before?.epoch === epochOf(seen.lastStart);
  if (holder === 'silent' && ran) seen.silentRun = true;
  seen.holder = { epoch: takeover.revision, instance };
  seen.sinceLastStart.takeover = takeover;
  const broken = (text: string): Finding[] => [
    finding('A6', `call ${callId} was taken over ${text}`, [takeover, end]),
  ];
  if (before === undefined) return broken('from nobody');
  if (!end || !isBefore(end, takeover)) return broken('without the end of a lease on record');
  if (end.data.instance !== before.instance) return broken("on the end of a lease that was not its holder's");
  return end.data.reason === 'silent' && holder !== 'silent'
    ? broken('from a holder that was only silent, as if it were gone')
    : [];
}

const epochOf = (start: WritEvent<'ToolExecutionStarted'>): number => start.data.epoch ?? start.revision;
