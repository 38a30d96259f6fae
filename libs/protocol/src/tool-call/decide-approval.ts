/** Request and answer of an approval (R6, R7, A4). A denial or an expiry is one append with the result. */
import { judgeAnswer } from '../approval/decide';
import { accepted, ignored, rejected } from '../decision';
import type { Deny, Expire, Grant, RequestApproval } from './commands';
import { resultEvent, withOutcome, type CallDecision } from './result-event';
import type { AwaitingCall, CallState, PersonDecision } from './state';

export function decideRequest(state: CallState, command: RequestApproval): CallDecision {
  if (state.status === 'settled') return ignored('already_settled');
  const { sessionId, stagedRevision, argsDigest, previewDigest, deadline } = command;
  const { data, revision } = state.staged;
  if (sessionId !== data.sessionId || stagedRevision !== revision) return rejected('staged_event_must_match');
  if (argsDigest !== data.argsDigest) return rejected('args_digest_must_match');
  if (state.status !== 'awaiting_approval')
    return ignored(state.decision ? 'already_decided' : 'never_asked');
  if (state.requested !== undefined) return ignored('already_requested');
  const { rule, reason } = data;
  return accepted({
    type: 'ApprovalRequested',
    data: {
      callId: state.callId,
      ...{ sessionId, stagedRevision, rule, argsDigest, previewDigest, deadline },
      ...(reason !== undefined && { reason }),
    },
  });
}

export function decideGrant(state: CallState, command: Grant): CallDecision {
  const call = answerable(state, command, 'granted');
  if ('kind' in call) return call;
  return accepted({ type: 'ApprovalGranted', data: answerData(call, command) });
}

export function decideDeny(state: CallState, command: Deny): CallDecision {
  const call = answerable(state, command, 'denied');
  if ('kind' in call) return call;
  return accepted(
    { type: 'ApprovalDenied', data: answerData(call, command) },
    resultEvent(call, withOutcome(command.result, 'denied')),
  );
}

export function decideExpire(state: CallState, command: Expire): CallDecision {
  if (state.decision !== undefined) return ignored('already_decided');
  if (state.status === 'settled') return ignored('already_settled');
  const call = answerable(state, command, 'expired');
  if ('kind' in call) return call;
  return accepted(
    { type: 'ApprovalExpired', data: answerData(call, command) },
    resultEvent(call, withOutcome(command.result, 'expired')),
  );
}

type Answered = Grant | Deny | Expire;

/** The waiting call, where this answer decides it; else what to tell whoever gave it. */
function answerable(
  state: CallState,
  command: Answered,
  answer: PersonDecision['answer'],
): AwaitingCall | CallDecision {
  const { argsDigest } = state.staged.data;
  if (command.argsDigest !== argsDigest) return rejected('args_digest_must_match');
  const { decision } = state;
  if (decision !== undefined) {
    if (decision.answer === answer) return ignored(`already_${answer}`);
    return rejected(decision.answer === 'expired' ? 'approval_expired' : 'already_decided');
  }
  if (state.status === 'settled') return rejected('already_settled');
  if (state.status !== 'awaiting_approval') return rejected('approval_must_be_requested');
  const deadline = state.requested?.deadline;
  const question = { argsDigest, ...(deadline !== undefined && { deadline }) };
  const wrong = judgeAnswer(question, {
    answer,
    decidedAt: command.decidedAt,
    argsDigest: command.argsDigest,
  });
  return wrong === undefined ? state : rejected(wrong);
}

function answerData({ callId }: AwaitingCall, command: Answered) {
  const { by, authentication, decidedAt, argsDigest, comment } = command;
  return { callId, by, authentication, decidedAt, argsDigest, ...(comment !== undefined && { comment }) };
}
