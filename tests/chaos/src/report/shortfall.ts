import type { Violation } from '../checks/check-round';
import { chaosLimits } from '../limits';
import type { Options } from '../options';
import type { Tally } from './tally';

/** What all rounds together owe, beside what each is judged by: turns complete, and a long run comes to every point often. */
export function shortfall(tally: Tally, options: Options): Violation | undefined {
  const { share, turns } = tally.completed();
  // Of a few turns one that a person interrupts is more than five of a hundred.
  if (turns >= chaosLimits.completed.ofTurns && share < chaosLimits.completed.share) {
    const what = `${(share * 100).toFixed(1)} of 100 turns completed`;
    return { rule: 'turns_complete', kind: 'safety', what };
  }
  const { fromRounds, atLeast } = chaosLimits.hits;
  const { rounds, only, config } = options;
  const kinds = new Set(config.kinds);
  const isWhole = kinds.has('kill') && kinds.has('held');
  if (rounds < fromRounds || only !== undefined || !isWhole) return undefined;
  const rare = config.points.filter((point) => (tally.points.get(point)?.died ?? 0) < atLeast);
  if (rare.length === 0) return undefined;
  return {
    rule: 'hits',
    kind: 'safety',
    what: `killed there less than ${atLeast} times: ${rare.join(', ')}`,
  };
}
