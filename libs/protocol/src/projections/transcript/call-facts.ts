import type { WritEvent } from '@writ/contracts';
import { comparePositions } from '../position';
import type { CallFacts } from './state';

/** The call after one more event of its own stream. It accepts every recorded fact; whether it was right is the audit's question. */
export function foldCallFacts(call: CallFacts, event: WritEvent): CallFacts {
  if (event.revision <= call.revision) return call;
  const seen = { ...call, revision: event.revision };
  switch (event.type) {
    case 'ApprovalGranted':
    case 'ApprovalDenied':
    case 'ApprovalExpired':
      return { ...seen, decision: event };
    case 'ToolExecutionStarted':
      return {
        ...seen,
        started: call.started ?? event,
        // A rerun names the takeover's epoch, which is in the list already; a claim is its own.
        epochs: event.data.epoch === undefined ? [...call.epochs, event.revision] : call.epochs,
        held: false,
      };
    case 'ToolExecutionTakenOver':
      return { ...seen, epochs: [...call.epochs, event.revision] };
    case 'DoubtHeld':
      return { ...seen, held: true };
    case 'DoubtResolved':
      return { ...seen, held: false };
    case 'ToolResultCommitted':
      return settle(seen, event);
    case 'LateResultRecorded':
    case 'LateDecisionRecorded':
      return { ...seen, late: [...call.late, event] };
    default:
      return seen;
  }
}

/** The earliest result stands, in whichever order the two streams that may hold one are read. */
export function settle(call: CallFacts, event: WritEvent<'ToolResultCommitted'>): CallFacts {
  const stands = call.result && comparePositions(call.result.position, event.position) <= 0;
  return stands ? call : { ...call, result: event, held: false };
}
