import { verify } from '@writ/audit';
import { InMemoryEventStore } from '@writ/event-store';
import type { World } from '../world/world';
import { checkAttempts } from './attempts';
import { checkEffects } from './effects';
import { readEvidence, resultsOf, stagedCalls, type Asked, type Evidence, type Violation } from './history';
import { checkOrder } from './order';
import { checkRequests } from './requests';
import { checkStuck } from './stuck';
import { checkWakes } from './wakes';

export interface Checked {
  readonly violations: readonly Violation[];
  readonly evidence: Evidence;
}

/** Judges a finished run from its log and the world outside; the violation that came about first is first. */
export async function checkRun(world: World, asked: readonly Asked[], settled: boolean): Promise<Checked> {
  const { log, outside, thrown } = world;
  const evidence = readEvidence(log.events, { outside, asked });
  const end = log.events.length;
  const violations: Violation[] = [
    ...(await checkAudit(world, evidence)),
    ...checkEffects(evidence),
    ...checkAttempts(world, evidence),
    ...checkWakes(world, evidence),
    ...checkRequests(evidence),
    ...checkOrder(evidence),
  ].sort((a, b) => a.at - b.at || rank(a) - rank(b));
  for (const problem of thrown) violations.push({ rule: 'throws', kind: 'thrown', what: problem, at: end });
  if (!settled) violations.push(...checkStuck(evidence, end));
  else violations.push(...checkSettled(evidence, end));
  return { violations, evidence };
}

/**
 * Of what has one place: what began, or was sent, with so many events in the log came before the event of that index; of
 * several rules that one event breaks a damaged chain is the cause.
 */
const rank = ({ rule }: Violation): number => (beginnings.has(rule) ? 0 : rule === 'A10' ? 1 : 2);
const beginnings: ReadonlySet<string> = new Set(['R1', 'R2', 'R16']);

/** A1 to A10, as `npx writ audit verify` judges them. */
async function checkAudit({ log }: World, { indexOf }: Evidence): Promise<Violation[]> {
  const verification = await verify(new InMemoryEventStore({ log }));
  if (verification.outcome !== 'verified') throw new Error('the log in memory cannot be read');
  return verification.report.findings.map(({ rule, message, events }) => ({
    rule,
    kind: 'safety',
    what: message,
    at: Math.max(0, ...events.map(({ position }) => indexOf(position))),
  }));
}

/** R4: once everything has settled, each staged call has its one result. */
function checkSettled({ events }: Evidence, end: number): Violation[] {
  const results = resultsOf(events);
  return [...stagedCalls(events).keys()].flatMap((callId) =>
    results.has(callId)
      ? []
      : [{ rule: 'R4', kind: 'liveness' as const, what: `${callId} has no result`, at: end }],
  );
}
