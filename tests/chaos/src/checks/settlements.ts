import type { CallFacts, RoundFacts } from './facts';

/** Why a call that did not succeed was settled as it was, where that is right; undefined: it was given up. */
export function reasonFor(call: CallFacts, round: RoundFacts): string | undefined {
  const { tool, outcome, sessionId } = call;
  const isInterrupted = round.harm.interrupted?.includes(sessionId) === true;
  // The call that waited for a person when its turn was interrupted; its siblings had ended.
  if (tool === 'send_asked' && isInterrupted && (outcome === 'skipped' || outcome === 'interrupted'))
    return 'its turn was interrupted';
  if (tool === 'send_unanswered') return outcome === 'expired' ? 'nobody decided' : undefined;
  switch (outcome) {
    case 'unknown':
      return doubtOf(call);
    case 'skipped':
      return round.executorLives ? undefined : 'no executor of its pool lived';
    case 'interrupted':
    case 'timed_out':
      return round.isSilent ? 'its holder was silent' : undefined;
    default:
      return undefined;
  }
}

/** R9: an irreversible effect is never asked after; a reconcilable one stays in doubt only under a holder that may still act. */
function doubtOf({ effectClass, takeovers, readbacks }: CallFacts): string | undefined {
  if (effectClass === 'irreversible') return 'its effect cannot be asked after';
  const mayStillAct = takeovers.at(-1) === 'silent' && readbacks.at(-1) === 'not_applied';
  return effectClass === 'reconcilable' && mayStillAct ? 'its holder is only silent' : undefined;
}
