import { pointOf } from '../plans';
import { explanationOf } from './endings';
import type { CallFacts, RoundFacts } from './facts';
import { reasonFor } from './settlements';

/** A broken promise: the rule by its number, or the audit's, and what was seen. */
export interface Violation {
  readonly rule: string;
  readonly kind: 'safety' | 'liveness' | 'thrown';
  readonly what: string;
}

const safety = (rule: string, what: string): Violation => ({ rule, kind: 'safety', what });

/** Everything that a round broke, the gravest first; knows the facts alone. */
export function checkRound(facts: RoundFacts): readonly Violation[] {
  return [
    ...facts.findings.map(({ rule, message }) => safety(rule, message)),
    ...facts.calls.flatMap((call) => [...effectsOf(call), ...agreementOf(call)]),
    ...facts.thrown.map((what): Violation => ({ rule: 'thrown', kind: 'thrown', what })),
    ...(facts.settled ? [...settlementsOf(facts), ...endingsOf(facts), ...classesOf(facts)] : [stuck(facts)]),
  ];
}

/** By class: a read any, idempotent keys and irreversible effects at most once, reconcilable ones exactly once where applied (R9). */
function effectsOf({ callId, tool, effectClass, seen, outcome }: CallFacts): readonly Violation[] {
  const times = effectClass === 'idempotent' ? seen.keys : seen.raw;
  if (effectClass === 'read' || times < 2) return [];
  return [
    safety('R9', `${effectClass} ${tool} ${callId} (${outcome ?? 'open'}) had its effect ${times} times`),
  ];
}

/** What the record says of the effect is what was seen: applied once, none never, unknown either (R8). */
function agreementOf({ callId, tool, effectClass, effect, outcome, seen }: CallFacts): readonly Violation[] {
  if (effectClass === 'read' || effect === null || effect === 'unknown') return [];
  const isTrue = effect === 'applied' ? seen.raw > 0 : seen.raw === 0;
  if (isTrue) return [];
  return [
    safety('R8', `${tool} ${callId} is ${outcome ?? 'open'} with effect ${effect}; seen ${seen.raw} times`),
  ];
}

/** R4, and nothing settled by giving up. */
function settlementsOf(facts: RoundFacts): readonly Violation[] {
  return facts.calls.flatMap((call) => {
    const { callId, tool, effectClass, outcome, takeovers, readbacks } = call;
    if (outcome === null) return [safety('R4', `${tool} ${callId} has no result`)];
    if (outcome === 'succeeded' || reasonFor(call, facts) !== undefined) return [];
    if (tool === 'send_unanswered') return [safety('R7', `${tool} ${callId} is ${outcome}, not expired`)];
    const record = `holders before: ${takeovers.join(' ') || 'none'}; readbacks: ${readbacks.join(' ') || 'none'}`;
    return [safety('gave_up', `${effectClass} ${tool} ${callId} was settled ${outcome} (${record})`)];
  });
}

/** Every turn completes, or ends for the reason that the harm explains. */
function endingsOf(facts: RoundFacts): readonly Violation[] {
  return facts.turns
    .filter((turn) => turn.status !== 'completed' && explanationOf(turn, facts) === undefined)
    .map(({ turnId, status, code }) => safety('ending', `turn ${turnId} ended ${status} ${code ?? ''}`));
}

/** A round that does not try all four classes proves less than it counts for. */
function classesOf({ calls }: RoundFacts): readonly Violation[] {
  const missing = classes.filter((each) => !calls.some(({ effectClass }) => effectClass === each));
  return missing.map((each) => safety('classes', `no call of the round was ${each}`));
}

const classes = ['read', 'idempotent', 'reconcilable', 'irreversible'] as const;

function stuck({ stuck: what, turns, calls }: RoundFacts): Violation {
  const openTurns = turns.filter(({ status }) => status === 'running' || status === 'waiting_for_person');
  const openCalls = calls.filter(({ outcome }) => outcome === null).map(({ callId }) => callId);
  const open = `${openTurns.length} turns and ${openCalls.length} calls are open: ${openCalls.join(' ')}`;
  return { rule: 'never_settled', kind: 'liveness', what: what === undefined ? open : `${what}; ${open}` };
}

/** The process that was to stand at the point of the plan did not come there. */
export function notReached({ plan, harm }: RoundFacts): boolean {
  return pointOf(plan) !== undefined && harm.isHit !== true;
}
