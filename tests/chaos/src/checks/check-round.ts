import type { CallFacts, RoundFacts, TurnFacts } from './facts';

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
    ...(facts.settled ? [...settlementsOf(facts), ...endingsOf(facts)] : [stuck(facts)]),
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

/** R4, and nothing settled by giving up: only a person's silence, an interrupt or an irreversible doubt ends a call otherwise. */
function settlementsOf({ calls, plan, harm, executorLives }: RoundFacts): readonly Violation[] {
  const wasInterrupted = new Set(harm.interrupted);
  return calls.flatMap(({ callId, sessionId, tool, effectClass, outcome }) => {
    if (outcome === null) return [safety('R4', `${tool} ${callId} has no result`)];
    if (outcome === 'succeeded') return [];
    // The call that waited for a person when its turn was interrupted; its siblings had ended.
    if (tool === 'send_asked' && wasInterrupted.has(sessionId) && isUnrun.has(outcome)) return [];
    if (tool === 'send_unanswered') {
      return outcome === 'expired' ? [] : [safety('R7', `${tool} ${callId} is ${outcome}, not expired`)];
    }
    if (outcome === 'skipped' && !executorLives) return [];
    // A holder that is only silent may still act; its doubt is told, never resolved by a guess.
    if (isSilent[plan.kind] && ['unknown', 'interrupted', 'timed_out'].includes(outcome)) return [];
    if (outcome === 'unknown' && effectClass === 'irreversible') return [];
    return [safety('gave_up', `${effectClass} ${tool} ${callId} was settled ${outcome}`)];
  });
}

const isUnrun: ReadonlySet<string> = new Set(['skipped', 'interrupted']);

/** Silence, or an outage that can become one. */
const isSilent: { readonly [kind in RoundFacts['plan']['kind']]: boolean } = {
  kill: false,
  others: false,
  silent: true,
  store: false,
  broker: false,
};

/** Every turn completes, or ends for the reason that the harm explains. */
function endingsOf({ turns, plan, harm }: RoundFacts): readonly Violation[] {
  const wasInterrupted = new Set(harm.interrupted);
  const isExplained = ({ sessionId, status, code }: TurnFacts): boolean =>
    status === 'completed' ||
    (status === 'interrupted' && wasInterrupted.has(sessionId)) ||
    (plan.kind === 'store' && code === 'session_persistence_failed');
  return turns
    .filter((turn) => !isExplained(turn))
    .map(({ turnId, status, code }) => safety('ending', `turn ${turnId} ended ${status} ${code ?? ''}`));
}

function stuck({ stuck: what, turns, calls }: RoundFacts): Violation {
  const openTurns = turns.filter(({ status }) => status === 'running' || status === 'waiting_for_person');
  const openCalls = calls.filter(({ outcome }) => outcome === null).map(({ callId }) => callId);
  const open = `${openTurns.length} turns and ${openCalls.length} calls are open: ${openCalls.join(' ')}`;
  return { rule: 'never_settled', kind: 'liveness', what: what === undefined ? open : `${what}; ${open}` };
}
