import type { WritEvent } from '@writ/contracts';
import {
  callsOf,
  isType,
  type EventPlace,
  type History,
  type RecordedCall,
  type RuleReport,
} from './history';

/** Calls that are open, and settled ones that did not simply succeed, told apart. */
export type CallStanding =
  | 'awaiting_approval'
  | 'ready'
  | 'running'
  | 'in_doubt'
  | 'held'
  | 'approved_never_ran'
  | 'ran_and_failed'
  | 'effect_unknown';

export interface ListedCall {
  readonly callId: string;
  readonly sessionId: string;
  readonly standing: CallStanding;
  /** When it came to stand so: the time of the event named. Its age is counted from here. */
  readonly since: string;
  readonly event: EventPlace;
}

/** A9: open, doubtful and held calls; approved-but-never-ran, ran-and-failed and unknown told apart. A list, no verdict. */
export function listA9(history: History): RuleReport & { readonly calls: readonly ListedCall[] } {
  const calls = callsOf(history).filter((call) => call.staged.length > 0);
  const lost = new Set(
    history
      .filter(isType('LeaseEnded'))
      .filter((event) => event.data.reason !== 'released')
      .map((event) => event.data.instance),
  );
  return { checked: calls.length, findings: [], calls: calls.flatMap((call) => listed(call, lost)) };
}

function listed(call: RecordedCall, lost: ReadonlySet<string>): ListedCall[] {
  const [staged] = call.staged;
  if (!staged) return [];
  const [result] = call.results;
  const found = result ? settledStanding(call, result) : openStanding(call, staged, lost);
  if (!found) return [];
  const { stream, revision, position, metadata } = found.event;
  return [
    {
      callId: call.callId,
      sessionId: staged.data.sessionId,
      standing: found.standing,
      since: metadata.at,
      event: { stream, revision, position },
    },
  ];
}

interface Standing {
  readonly standing: CallStanding;
  readonly event: WritEvent;
}

function settledStanding(call: RecordedCall, result: WritEvent<'ToolResultCommitted'>): Standing | undefined {
  const { outcome, effect } = result.data;
  const ran = call.events.some(isType('ToolExecutionStarted'));
  if (effect === 'unknown') return { standing: 'effect_unknown', event: result };
  if (ran) return outcome === 'succeeded' ? undefined : { standing: 'ran_and_failed', event: result };
  const wasAsked = call.staged.some((event) => event.data.verdict === 'ask');
  const authorized = wasAsked ? call.events.some(isType('ApprovalGranted')) : outcome !== 'refused';
  return authorized ? { standing: 'approved_never_ran', event: result } : undefined;
}

function openStanding(
  call: RecordedCall,
  staged: WritEvent<'ToolCallStaged'>,
  lost: ReadonlySet<string>,
): Standing | undefined {
  if (staged.data.verdict === 'refused') return undefined;
  const last = call.events
    .filter(
      isType(
        'ToolExecutionStarted',
        'ToolExecutionTakenOver',
        'DoubtHeld',
        'DoubtResolved',
        'ApprovalGranted',
      ),
    )
    .at(-1);
  switch (last?.type) {
    case 'ToolExecutionStarted':
      return { standing: lost.has(last.data.instance) ? 'in_doubt' : 'running', event: last };
    case 'ToolExecutionTakenOver':
      return { standing: 'in_doubt', event: last };
    case 'DoubtHeld':
      return { standing: 'held', event: last };
    case 'DoubtResolved':
    case 'ApprovalGranted':
      return { standing: 'ready', event: last };
    case undefined:
      return { standing: staged.data.verdict === 'ask' ? 'awaiting_approval' : 'ready', event: staged };
  }
}
