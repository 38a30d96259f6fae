/** One call for specs: commands in, events into a journal, the next state out. */
import { callStream, leaseStream, sessionStream, type EventData, type WritEvent } from '@writ/contracts';
import {
  callFromStaged,
  decideCall,
  evolveCall,
  type CallCommand,
  type CallDecision,
  type CallState,
  type ResultDraft,
} from '../tool-call';
import { digest, executor, heir, sessionId, staged } from './facts';
import { after, Journal } from './journal';

export interface CallWorld {
  readonly state: CallState;
  readonly journal: Journal;
  /** Asks the decider, writes nothing. */
  asked(command: CallCommand): CallDecision;
  /** Writes what the decider accepts; anything else is a broken spec. */
  did(command: CallCommand, wallMs?: number): CallWorld;
  /** Writes an event past the decider, as a damaged record would have it. */
  holds(event: Parameters<Journal['append']>[1][number]): CallWorld;
}

export const callId = 'c1';

export function stagedEvent(given: Partial<EventData<'ToolCallStaged'>> = {}): {
  readonly journal: Journal;
  readonly event: WritEvent<'ToolCallStaged'>;
} {
  const journal = new Journal();
  const [event] = journal.append(sessionStream(sessionId), [
    { type: 'ToolCallStaged', data: staged(callId, given) },
  ]);
  if (event?.type !== 'ToolCallStaged') throw new Error('nothing was staged');
  return { journal, event };
}

export function newCall(given: Partial<EventData<'ToolCallStaged'>> = {}): CallWorld {
  const { journal, event } = stagedEvent(given);
  return worldOf(callFromStaged(event), journal);
}

function worldOf(state: CallState, journal: Journal): CallWorld {
  const write: CallWorld['did'] = (command, wallMs) => {
    const decision = decideCall(state, command);
    if (decision.kind !== 'accepted') throw new Error(`${command.type}: ${JSON.stringify(decision)}`);
    const fork = journal.fork();
    const events = fork.append(callStream(callId), decision.events, wallMs === undefined ? {} : { wallMs });
    return worldOf(events.reduce(evolveCall, state), fork);
  };
  return {
    state,
    journal,
    asked: (command) => decideCall(state, command),
    did: write,
    holds: (event) => {
      const fork = journal.fork();
      return worldOf(fork.append(callStream(callId), [event]).reduce(evolveCall, state), fork);
    },
  };
}

type Given<T extends CallCommand['type']> = Partial<Extract<CallCommand, { type: T }>>;

export const claim = (given: Given<'Claim'> = {}): CallCommand => ({
  type: 'Claim',
  instance: executor,
  sessionId,
  stagedRevision: 0,
  pool: 'default',
  argsDigest: digest('d'),
  definitionDigest: digest('e'),
  deadline: after(60_000),
  ...given,
});
export const takeOver = (
  endedInstance = executor,
  reason: 'gone' | 'silent' | 'released' = 'gone',
  instance = heir,
): CallCommand => ({
  type: 'TakeOver',
  instance,
  endedInstance,
  leaseEnded: { stream: leaseStream(endedInstance), revision: 7 },
  reason,
});
export const readBack = (
  effect: 'applied' | 'not_applied' | 'unknown',
  given: Given<'RecordReadback'> = {},
): CallCommand => ({
  type: 'RecordReadback',
  instance: heir,
  epoch: 1,
  effect,
  evidence: { seen: effect },
  ...given,
});
export const rerun = (given: Given<'Rerun'> = {}): CallCommand => ({
  type: 'Rerun',
  instance: heir,
  epoch: 1,
  deadline: after(120_000),
  definitionDigest: digest('e'),
  fenced: false,
  ...given,
});
export const hold = (given: Given<'HoldDoubt'> = {}): CallCommand => ({
  type: 'HoldDoubt',
  instance: heir,
  epoch: 1,
  deadline: after(600_000),
  evidence: [],
  ...given,
});
export const resultDraft = (given: Partial<ResultDraft> = {}): ResultDraft => ({
  outcome: 'succeeded',
  effect: 'applied',
  content: [{ type: 'text', text: 'done' }],
  digest: digest('f'),
  ...given,
});
export const plain = { content: [{ type: 'text' as const, text: 'no' }], digest: digest('f') };
export const commit = (given: Partial<ResultDraft> = {}, by: Given<'CommitResult'> = {}): CallCommand => ({
  type: 'CommitResult',
  instance: executor,
  epoch: 0,
  result: resultDraft(given),
  ...by,
});
export const request = (given: Given<'RequestApproval'> = {}): CallCommand => ({
  type: 'RequestApproval',
  sessionId,
  stagedRevision: 0,
  argsDigest: digest('d'),
  previewDigest: digest('1'),
  deadline: after(600_000),
  ...given,
});
const answer = {
  by: 'ann',
  authentication: 'local',
  decidedAt: after(1_000),
  argsDigest: digest('d'),
};
export const grant = (given: Given<'Grant'> = {}): CallCommand => ({ type: 'Grant', ...answer, ...given });
export const deny = (given: Given<'Deny'> = {}): CallCommand => ({
  type: 'Deny',
  ...answer,
  result: plain,
  ...given,
});
export const expire = (given: Given<'Expire'> = {}): CallCommand => ({
  type: 'Expire',
  ...answer,
  by: 'approval-service',
  decidedAt: after(600_001),
  result: plain,
  ...given,
});
export const orderRerun: CallCommand = {
  type: 'ResolveDoubt',
  by: 'ann',
  authentication: 'local',
  effect: 'not_applied',
  evidence: 'looked',
  rerun: true,
};
