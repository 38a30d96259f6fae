import { crashPoints } from '../world/kill-points';
import { faultNames } from '../world/swarm';

const outcomes = [
  'succeeded', 'failed', 'refused', 'denied', 'expired', 'timed_out', 'interrupted', 'skipped', 'unknown',
]; // prettier-ignore

/** R9's table: by class, by what became of the holder, by what the tool found, by what a person said. */
const reconciliations = [
  'read: run again',
  'read: failed, no epoch left',
  'idempotent: run again',
  'idempotent: in doubt, no epoch left',
  'reconcilable: applied, committed',
  'reconcilable: not applied, holder gone, run again',
  'reconcilable: not applied, fenced, run again',
  'reconcilable: not applied, holder silent, in doubt',
  'reconcilable: unknown, in doubt',
  'reconcilable: in doubt, no epoch left',
  'irreversible: in doubt',
  'in doubt: settled for the model',
  'in doubt: held for a person',
  'person: applied',
  'person: not_applied',
  'person: unknown',
  'person: not_applied, rerun ordered',
  'person: the rerun ran',
  'person: the same word again',
  'person: too late or too early',
  'person: no rerun left',
];

/** Protocol 6's table by what the record shows of each row, and what its owner does at each bound. */
const rows = [
  'ready: claimed',
  'ready: abandoned unclaimed',
  'awaiting: requested',
  'requested: granted',
  'requested: denied',
  'requested: expired',
  'running: result not committed (R3)',
  'orphan: taken over by an executor, holder gone',
  'orphan: taken over by an executor, holder silent',
  'orphan: taken over by the owner',
  'held',
  'session taken over',
];
const abandonments = [
  'unclaimed', 'wall_time', 'round_deadline', 'turn_failed', 'interrupted', 'holder_lost', 'hold_expired',
]; // prettier-ignore
const turnEnds = [
  'completed',
  'interrupted',
  'failed: model_failed',
  'failed: budget_exhausted',
  'failed: session_persistence_failed',
];
const leaseEnds = ['released', 'gone', 'silent'];
const races = [
  'lost ToolExecutionStarted',
  'lost ToolExecutionTakenOver',
  'lost ToolResultCommitted',
  'lost SessionLeaseAcquired',
  'lost LeaseRenewed',
  'lost LeaseEnded',
  'lost ApprovalRequested',
  'lost ApprovalGranted',
  'lost ApprovalDenied',
  'lost DoubtResolved',
  'late result',
  'late decision',
];

/** Every cell that a table of many seeds must have filled. */
export const cells: readonly string[] = [
  ...crashPoints.map((point) => `passed ${point}`),
  ...crashPoints.map((point) => `killed at ${point}`),
  'killed at K8',
  ...crashPoints.map((point) => `frozen at ${point}`),
  ...faultNames.map((name) => `fault ${name}`),
  ...outcomes.map((outcome) => `outcome ${outcome}`),
  ...reconciliations.map((step) => `R9 ${step}`),
  ...rows.map((row) => `row ${row}`),
  ...abandonments.map((why) => `abandoned ${why}`),
  ...turnEnds.map((end) => `turn ${end}`),
  ...leaseEnds.map((reason) => `lease ended: ${reason}`),
  ...races.map((race) => `race ${race}`),
  'drained to its end',
  'a clone went away by itself',
  'person refused: already_decided',
];
