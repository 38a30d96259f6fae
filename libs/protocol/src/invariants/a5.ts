import type { WritEvent } from '@writ/contracts';
import { finding, isBefore, streamsOf, type Finding, type History, type RuleReport } from './history';

/**
 * A5: in each stream epochs never fall, and an event that names an epoch names the highest of that stream so far; late
 * evidence excepted. What an executor writes of a call that has begun is by the instance that holds it, a session is
 * written by its holder alone, and nothing follows the end of a lease.
 */
export function checkA5(history: History): RuleReport {
  const calls = [...streamsOf(history, 'toolcall-').values()];
  const sessions = [...streamsOf(history, 'session-').values()];
  const leases = [...streamsOf(history, 'lease-').values()];
  const ends = new Map(leases.flat().map((event) => [`${event.stream}@${event.revision}`, event]));
  return {
    checked: calls.length + sessions.length + leases.length,
    findings: [
      ...calls.flatMap(checkCall),
      ...sessions.flatMap((events) => checkSession(events, ends)),
      ...leases.flatMap(checkLease),
    ],
  };
}

const late = new Set(['LateResultRecorded', 'LateDecisionRecorded']);

function checkCall(events: readonly WritEvent[]): Finding[] {
  let highest = -1;
  let holder: string | undefined;
  return events.flatMap((event) => {
    if (late.has(event.type)) return [];
    const before = highest;
    if (mintsCallEpoch(event)) {
      highest = event.revision;
      holder = event.data.instance;
    }
    const { actor } = event.metadata;
    if (holder !== undefined && isByAnotherExecutor(actor, holder))
      return [finding('A5', `${event.type} was written by an executor that does not hold the call`, [event])];
    // A writer that mints an epoch may say the one before or its own.
    const acting = actor.service === 'tool-executor' && actor.epoch !== undefined ? [actor.epoch] : [];
    const stale = [
      ...named(event).filter((epoch) => epoch !== before),
      ...acting.filter((epoch) => epoch !== before && epoch !== highest),
    ];
    const problem = `${event.type} names epoch ${stale.join(', ')} where ${before} is the highest so far`;
    return stale.length > 0 ? [finding('A5', problem, [event])] : [];
  });
}

const isByAnotherExecutor = (
  { service, instance }: WritEvent['metadata']['actor'],
  holder: string,
): boolean => service === 'tool-executor' && instance !== undefined && instance !== holder;

/** A claim is its own epoch; a takeover is the next. */
const mintsCallEpoch = (
  event: WritEvent,
): event is WritEvent<'ToolExecutionTakenOver'> | WritEvent<'ToolExecutionStarted'> =>
  event.type === 'ToolExecutionTakenOver' ||
  (event.type === 'ToolExecutionStarted' && event.data.epoch === undefined);

function named(event: WritEvent): number[] {
  switch (event.type) {
    case 'ToolExecutionTakenOver':
      return [event.data.supersededEpoch];
    case 'ReadbackRecorded':
    case 'DoubtHeld':
      return [event.data.epoch];
    case 'ToolExecutionStarted':
    case 'ToolResultCommitted':
      return event.data.epoch === undefined ? [] : [event.data.epoch];
    default:
      return [];
  }
}

function checkSession(events: readonly WritEvent[], ends: ReadonlyMap<string, WritEvent>): Finding[] {
  let holder: WritEvent<'SessionLeaseAcquired'> | undefined;
  return events.flatMap((event) => {
    const before = holder;
    if (event.type === 'SessionLeaseAcquired') {
      holder = event;
      return checkInheritance(event, before, ends);
    }
    if (event.type === 'SessionLeaseReleased') holder = undefined;
    const { epoch, instance, service } = event.metadata.actor;
    if (event.type === 'SessionOpened' || service !== 'turn-orchestrator') return [];
    const isHolder =
      before !== undefined &&
      (epoch === undefined || epoch === before.revision) &&
      (instance === undefined || instance === before.data.instance);
    return isHolder
      ? []
      : [
          finding('A5', `${event.type} was written by an owner that does not hold the session`, [
            event,
            before,
          ]),
        ];
  });
}

/** Who takes a session that was not released names the epoch it supersedes and the end of its holder's lease. */
function checkInheritance(
  event: WritEvent<'SessionLeaseAcquired'>,
  before: WritEvent<'SessionLeaseAcquired'> | undefined,
  ends: ReadonlyMap<string, WritEvent>,
): Finding[] {
  const { supersedes } = event.data;
  const broken = (text: string): Finding[] => [
    finding('A5', `a session was taken over ${text}`, [event, before]),
  ];
  if (supersedes?.epoch !== before?.revision) return broken('from another epoch than the highest so far');
  if (!before) return [];
  const { leaseEnded } = supersedes ?? {};
  const end = leaseEnded && ends.get(`${leaseEnded.stream}@${leaseEnded.revision}`);
  const isEnd =
    end?.type === 'LeaseEnded' && end.data.instance === before.data.instance && isBefore(end, event);
  return isEnd ? [] : broken("without the end of its holder's lease on record");
}

function checkLease(events: readonly WritEvent[]): Finding[] {
  const end = events.findIndex((event) => event.type === 'LeaseEnded');
  const after = end === -1 ? [] : events.slice(end + 1);
  return after.length > 0 ? [finding('A5', 'a lease goes on after its end', after)] : [];
}
