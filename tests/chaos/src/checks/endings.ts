import { harmsStore } from '../plans';
import type { RoundFacts, TurnFacts } from './facts';

/** Why a turn that did not complete ended as it did, by the harm of its round; undefined: nothing explains it. */
export function explanationOf(
  { sessionId, status, code }: TurnFacts,
  { plan, harm }: Pick<RoundFacts, 'plan' | 'harm'>,
): string | undefined {
  if (status === 'interrupted' && harm.interrupted?.includes(sessionId) === true)
    return 'a person interrupted it';
  if (code === 'session_persistence_failed' && harmsStore(plan)) return 'the store was harmed';
  return undefined;
}
