import { millisOf } from '../time';
import type { CallState } from './state';

/** Milliseconds during which a person was waited for, for at least one of the calls, up to `nowMs` (R8: the round's clock stands still). */
export function waitedForPersonMs(calls: Iterable<CallState>, nowMs: number): number {
  const spans = [...calls]
    .flatMap((call) => call.waits)
    .map(({ from, to }) => ({ from: millisOf(from), to: to === undefined ? nowMs : millisOf(to) }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
  let waited = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { from, to } of spans) {
    waited += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return waited;
}
