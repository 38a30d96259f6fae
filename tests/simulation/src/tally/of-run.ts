import { parseInstanceId, type WritEvent } from '@writ/contracts';
import type { SeedRun } from '../run-seed';
import { addReconciliations } from './reconciliations';
import { count, type Coverage } from './table';

export function addRun(into: Coverage, run: SeedRun): void {
  const { world, evidence } = run;
  for (const [point, times] of world.killPoints.passed) count(into, `passed ${point}`, times);
  for (const [point, times] of world.killPoints.killedAt) count(into, `killed at ${point}`, times);
  for (const [point, times] of world.killPoints.frozenAt) count(into, `frozen at ${point}`, times);
  for (const [name, times] of world.faults.counts) count(into, `fault ${name}`, times);
  for (const [cell, times] of world.seen) count(into, cell, times);
  for (const length of world.losses) if (isMidBatch(run, length)) count(into, 'killed at K8');
  for (const event of evidence.events) for (const cell of cellsOf(event)) count(into, cell);
  addReconciliations(into, run);
}

/** K8: some results of a batch are on record, and a call of it that was started has none. */
function isMidBatch({ evidence }: SeedRun, logLength: number): boolean {
  const known = evidence.events.filter(({ position }) => evidence.indexOf(position) < logLength);
  const batches = new Map<string, string>();
  const settled = new Set<string>();
  const started = new Set<string>();
  for (const event of known) {
    if (event.type === 'ToolCallStaged') batches.set(event.data.callId, `${event.stream} ${event.data.step}`);
    if (event.type === 'ToolExecutionStarted') started.add(event.stream.slice('toolcall-'.length));
    if (event.type === 'ToolResultCommitted') settled.add(event.data.callId);
  }
  const done = new Set([...settled].filter((id) => started.has(id)).map((id) => batches.get(id)));
  return [...started].some((id) => !settled.has(id) && done.has(batches.get(id)));
}

/** What one event on record says. */
function cellsOf(event: WritEvent): readonly string[] {
  switch (event.type) {
    case 'ToolResultCommitted':
      return [`outcome ${event.data.outcome}`];
    case 'ToolExecutionStarted':
      return ['row ready: claimed'];
    case 'CallsAbandoned':
      return [
        `abandoned ${event.data.why}`,
        ...(event.data.why === 'unclaimed' ? ['row ready: abandoned unclaimed'] : []),
      ];
    case 'ApprovalRequested':
      return ['row awaiting: requested'];
    case 'ApprovalGranted':
      return ['row requested: granted'];
    case 'ApprovalDenied':
      return ['row requested: denied'];
    case 'ApprovalExpired':
      return ['row requested: expired'];
    case 'TurnCompleted':
      return ['turn completed'];
    case 'TurnInterrupted':
      return ['turn interrupted'];
    case 'TurnFailed':
      return [
        `turn failed: ${event.data.code}`,
        ...(event.data.cause === 'result_not_committed' ? ['row running: result not committed (R3)'] : []),
      ];
    case 'ToolExecutionTakenOver':
      return [
        isOwner(event.data.instance)
          ? 'row orphan: taken over by the owner'
          : `row orphan: taken over by an executor, holder ${event.data.holder}`,
      ];
    case 'DoubtHeld':
      return ['row held'];
    case 'SessionLeaseAcquired':
      return event.data.why === 'takeover' ? ['row session taken over'] : [];
    case 'LeaseEnded':
      return [`lease ended: ${event.data.reason}`];
    case 'LateResultRecorded':
      return ['race late result'];
    case 'LateDecisionRecorded':
      return ['race late decision'];
    default:
      return [];
  }
}

const isOwner = (instance: string): boolean => parseInstanceId(instance)?.service === 'turn-orchestrator';
