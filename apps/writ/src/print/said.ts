import type { WritEvent } from '@writ/contracts';

/** An event of a call in a few words; never arguments, results or evidence. */
export function saidOf(event: WritEvent): string {
  switch (event.type) {
    case 'ToolCallStaged':
      return `${event.data.tool ?? event.data.nameSent}: ${event.data.verdict} by ${event.data.rule}`;
    case 'ApprovalRequested':
      return `until ${event.data.deadline}`;
    case 'ApprovalGranted':
    case 'ApprovalDenied':
    case 'ApprovalExpired':
    case 'LateDecisionRecorded':
      return `by ${event.data.by}`;
    case 'ToolExecutionStarted':
      return `attempt ${event.data.attempt}, epoch ${event.data.epoch ?? event.revision}, by ${event.data.instance}`;
    case 'ToolExecutionTakenOver':
      return `by ${event.data.instance}: its holder was ${event.data.holder}`;
    case 'ReadbackRecorded':
      return event.data.effect;
    case 'DoubtHeld':
      return `for a person, until ${event.data.deadline}`;
    case 'DoubtResolved':
      return `${event.data.effect}${event.data.rerun ? ', run again' : ''}, by ${event.data.by}`;
    case 'CallsAbandoned':
      return event.data.why;
    case 'ToolResultCommitted':
    case 'LateResultRecorded':
      return `${event.data.outcome}, effect ${event.data.effect}`;
    default:
      return '';
  }
}
