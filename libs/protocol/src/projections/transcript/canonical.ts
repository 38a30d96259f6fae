/** The transcript as the record has it: every turn, step and call, with positions and times (interfaces.md, HTTP). */
import type { CanonicalCall, CanonicalStep, CanonicalTranscript, CanonicalTurn } from '@writ/contracts';
import { stagedArguments } from './arguments';
import type { CallFacts, Decision, LateEvidence, StepFacts, TranscriptState, TurnFacts } from './state';
import { orderedPart } from './text';
import { turnStatus } from './turn-status';

type Authorization = CanonicalCall['authorization'];
type Late = CanonicalCall['late'][number];

export function toCanonical(state: TranscriptState): CanonicalTranscript {
  return {
    sessionId: state.opened?.data.sessionId ?? '',
    position: state.position,
    turns: state.turns.map(canonicalTurn),
  };
}

function canonicalTurn(turn: TurnFacts): CanonicalTurn {
  const { end } = turn;
  const failure = end?.type === 'TurnFailed' ? end.data : undefined;
  return {
    turnId: turn.started.data.turnId,
    status: turnStatus(turn),
    input: turn.started.data.input,
    finalText: end?.type === 'TurnCompleted' ? end.data.finalText : undefined,
    failure: failure && { code: failure.code, cause: failure.cause, message: failure.message },
    steps: turn.steps.map(canonicalStep),
  };
}

const canonicalStep = (step: StepFacts): CanonicalStep => ({
  step: step.message.data.step,
  text: step.message.data.text,
  calls: step.calls.flatMap(canonicalCall),
});

function canonicalCall(call: CallFacts): CanonicalCall[] {
  const { staged, started, result } = call;
  if (!staged) return [];
  const { callId, providerCallId, nameSent, wrapper, tool, rawArguments, argsDigest, effectClass, segment } =
    staged.data;
  const readback = result?.data.readback;
  return [
    {
      callId,
      providerCallId,
      nameSent,
      wrapper: wrapper && { nameSent: wrapper.nameSent, place: wrapper.place, of: wrapper.of },
      tool,
      rawArguments,
      args: stagedArguments(staged.data),
      argsDigest,
      effectClass,
      segment,
      authorization: authorization(staged.data, call.decision),
      epochs: [...call.epochs],
      outcome: result?.data.outcome ?? null,
      effect: result?.data.effect ?? null,
      code: result?.data.code,
      readback: readback && { effect: readback.effect, evidence: readback.evidence },
      content: result?.data.content.map(orderedPart) ?? [],
      stagedAt: staged.metadata.at,
      startedAt: started?.metadata.at,
      committedAt: result?.metadata.at,
      positions: { staged: staged.position, started: started?.position, committed: result?.position },
      late: call.late.map(late),
    },
  ];
}

const answers = { ApprovalGranted: 'grant', ApprovalDenied: 'deny', ApprovalExpired: 'expired' } as const;

function authorization(
  staged: { verdict: Authorization['verdict']; rule: string },
  decision: Decision | undefined,
): Authorization {
  const { verdict, rule } = staged;
  if (!decision) return { verdict, rule };
  const { by, decidedAt, comment } = decision.data;
  return { verdict, rule, decision: { answer: answers[decision.type], by, at: decidedAt, comment } };
}

function late(event: LateEvidence): Late {
  const when = { at: event.metadata.at, position: event.position };
  if (event.type === 'LateDecisionRecorded') {
    const { answer, by, comment } = event.data;
    const text = comment === undefined ? answer : `${answer}: ${comment}`;
    return { kind: 'decision', ...when, by, content: [{ type: 'text', text }] };
  }
  const { actor } = event.metadata;
  return {
    kind: 'result',
    ...when,
    by: actor.person ?? actor.instance ?? actor.service,
    content: event.data.content.map(orderedPart),
  };
}
