import type { SeedRun } from './run-seed';
import { crashPoints } from './world/kill-points';
import { faultNames } from './world/swarm';

/** How often each thing happened, over many runs; mergeable, so that workers may count apart. */
export type Coverage = { [cell: string]: number };

const outcomes = [
  'succeeded', 'failed', 'refused', 'denied', 'expired', 'timed_out', 'interrupted', 'skipped', 'unknown',
]; // prettier-ignore
/** R9 by what was done next; protocol 6's table by what the record shows of each row. */
const reconciliations = ['read_back', 'run_again', 'commit_applied', 'settle', 'hold'];
const rows = [
  'ready: claimed',
  'ready: abandoned unclaimed',
  'awaiting: requested',
  'requested: granted',
  'requested: expired',
  'running: result not committed (R3)',
  'orphan: taken over by an executor, holder gone',
  'orphan: taken over by an executor, holder silent',
  'orphan: taken over by the owner',
  'held',
  'session taken over',
];
const races = ['claim lost', 'late result', 'late decision'];

/** Every cell that a table of many seeds must have filled. */
export const cells: readonly string[] = [
  ...crashPoints.map((point) => `passed ${point}`),
  ...crashPoints.map((point) => `killed at ${point}`),
  ...faultNames.map((name) => `fault ${name}`),
  ...outcomes.map((outcome) => `outcome ${outcome}`),
  ...reconciliations.map((step) => `R9 ${step}`),
  ...rows.map((row) => `row ${row}`),
  ...races.map((race) => `race ${race}`),
];

const count = (into: Coverage, cell: string, by = 1): void => {
  into[cell] = (into[cell] ?? 0) + by;
};

export function addRun(into: Coverage, { world, evidence }: SeedRun): void {
  for (const [point, times] of world.killPoints.passed) count(into, `passed ${point}`, times);
  for (const [point, times] of world.killPoints.killedAt) count(into, `killed at ${point}`, times);
  for (const [name, times] of world.faults.counts) count(into, `fault ${name}`, times);
  for (const step of reconciliations)
    count(into, `R9 ${step}`, world.trace.count(`call_reconciling ${step}`));
  count(into, 'race claim lost', world.trace.count('claim_lost'));
  for (const event of evidence.events) addEvent(into, event);
}

function addEvent(into: Coverage, event: SeedRun['evidence']['events'][number]): void {
  switch (event.type) {
    case 'ToolResultCommitted':
      return count(into, `outcome ${event.data.outcome}`);
    case 'ToolExecutionStarted':
      return count(into, 'row ready: claimed');
    case 'CallsAbandoned':
      return event.data.why === 'unclaimed' ? count(into, 'row ready: abandoned unclaimed') : undefined;
    case 'ApprovalRequested':
      return count(into, 'row awaiting: requested');
    case 'ApprovalGranted':
      return count(into, 'row requested: granted');
    case 'ApprovalExpired':
      return count(into, 'row requested: expired');
    case 'TurnFailed':
      return event.data.cause === 'result_not_committed'
        ? count(into, 'row running: result not committed (R3)')
        : undefined;
    case 'ToolExecutionTakenOver':
      return event.data.instance.startsWith('turn-orchestrator.')
        ? count(into, 'row orphan: taken over by the owner')
        : count(into, `row orphan: taken over by an executor, holder ${event.data.holder}`);
    case 'DoubtHeld':
      return count(into, 'row held');
    case 'SessionLeaseAcquired':
      return event.data.why === 'takeover' ? count(into, 'row session taken over') : undefined;
    case 'LateResultRecorded':
      return count(into, 'race late result');
    case 'LateDecisionRecorded':
      return count(into, 'race late decision');
    default:
      return undefined;
  }
}

export function merge(into: Coverage, from: Coverage): void {
  for (const [cell, times] of Object.entries(from)) count(into, cell, times);
}

export const emptyCells = (coverage: Coverage): readonly string[] =>
  cells.filter((cell) => (coverage[cell] ?? 0) === 0);

/** Every cell and whatever else was counted, one a line. */
export function tableOf(coverage: Coverage): readonly string[] {
  const more = Object.keys(coverage).filter((cell) => !cells.includes(cell));
  return [...cells, ...more.sort()].map((cell) => `${String(coverage[cell] ?? 0).padStart(10)}  ${cell}`);
}
