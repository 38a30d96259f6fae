import { decideSession } from '@writ/protocol';
import { backoffMs } from '../backoff';
import { seal } from '../journal/seal';
import { runtimeLimits } from '../limits';
import type { SessionOwner } from './session-owner';
import { appendToSession, headOf, type SessionWrite } from './session-writer';

/**
 * An append whose outcome stays unknown: the turn's end goes to the *same expected revision*. Acknowledged, the other can
 * never land; a conflict is answered by what is there; and while neither is known the turn stays open (R2, protocol 5).
 */
export async function endInstead(
  owner: SessionOwner,
  unknown: Extract<SessionWrite, { result: 'unknown' }>,
): Promise<'again' | 'reload'> {
  const { ports, memory } = owner;
  const { session } = memory;
  const { cause } = unknown;
  const message = 'The step could not be recorded, so nothing of it was run.';
  const failure = { code: 'session_persistence_failed' as const, cause, message };
  const decision = decideSession(session, {
    type: 'EndTurn',
    ...owner.self(),
    turnId: session.turn?.turnId ?? '',
    end: { type: 'TurnFailed', ...failure },
    openCalls: [],
  });
  if (decision.kind !== 'accepted') return 'reload';
  const end = seal(ports, headOf(session), { drafts: decision.events, context: owner.context() });
  for (let tries = 0; owner.holds(); tries += 1) {
    const write = await appendToSession(ports, session, { sealed: end });
    if (write.result !== 'unknown') owner.stuck = undefined;
    if (write.result === 'stands') {
      memory.wrote(write.state, write.events);
      ports.log.error('session_persistence_failed', { sessionId: owner.sessionId, cause });
      return 'again';
    }
    if (write.result !== 'unknown') return 'reload';
    owner.stuck = failure;
    owner.changed();
    const { retryFirstMs, retryLongestMs } = runtimeLimits;
    await ports.clock.sleep(
      backoffMs(tries, { firstMs: retryFirstMs, longestMs: retryLongestMs }, ports.entropy),
    );
  }
  return 'reload';
}
