import type { ContentPart } from '@writ/contracts';
import { abandonedResult, type AbandonReason, type CallState, type TurnState } from '@writ/protocol';
import { writeCall } from '../call/call-writer';
import { sealResult } from '../executor/result-of-run';
import type { SealContext } from '../journal/seal';
import type { SessionPorts } from './session-ports';

interface Owner {
  readonly instance: string;
  readonly context: SealContext;
}

/** The true reason: of a turn that failed, what it failed of, `session_persistence_failed` for instance (R3). */
export const reasonToSettle = (why: AbandonReason, turn: TurnState | null): string =>
  why === 'turn_failed' && turn?.status === 'failed' ? turn.failure.code : why;

/** The owner's own result for a call that it has abandoned on record, at the revision it read: a late claim is shut out. */
export async function settleAbandoned(
  ports: SessionPorts,
  state: CallState,
  owner: Owner & { why: string },
): Promise<void> {
  const draft = abandonedResult(state, owner.instance);
  if (draft === undefined) return;
  const content = draft.content === undefined ? said(textFor(owner.why)) : [...draft.content];
  const result = sealResult({ ...draft, code: owner.why, content });
  const { instance, context } = owner;
  const write = await writeCall(ports, state, {
    command: { type: 'SettleAbandoned', instance, result },
    context,
    patience: 'one_try',
  });
  ports.log.info('call_abandoned', {
    callId: state.callId,
    why: owner.why,
    outcome: result.outcome,
    result: write.result,
  });
}

/** No executor of the pool took over in time: the owner does so itself, to settle it next (protocol 6). */
export async function takeOverForOwner(ports: SessionPorts, state: CallState, owner: Owner): Promise<void> {
  if (state.status !== 'running' && state.status !== 'reconciling') return;
  const lease = await ports.watch.statusNow(state.holder);
  if (lease.status !== 'ended') return;
  const { stream, revision, reason } = lease.end;
  const { instance, context } = owner;
  const command = {
    type: 'TakeOver' as const,
    instance,
    endedInstance: state.holder,
    leaseEnded: { stream, revision },
    reason,
  };
  await writeCall(ports, state, { command, context, patience: 'one_try', inFlight: 'H2' });
}

function textFor(why: string): string {
  const texts: { readonly [why: string]: string } = {
    unclaimed: 'Not run: no executor of its pool took it in time.',
    wall_time: 'Not run: the turn ran out of time.',
    round_deadline: 'Not run: the round ran out of time before this call was started.',
    session_persistence_failed: 'Not run: the turn had failed because its record could not be written.',
    turn_failed: 'Not run: the turn had failed before this call was started.',
    interrupted: 'Not run: the turn was interrupted.',
    holder_lost: 'Its executor is lost and what came of it is not known.',
    hold_expired: 'What came of it is not known, and no person decided in time.',
  };
  return texts[why] ?? 'Not run.';
}

const said = (text: string): ContentPart[] => [{ type: 'text', text }];
