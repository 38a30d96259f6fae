import type { Entropy } from './ports';

/** Exponential with full jitter in its upper half, so that many who wait do not come back at once. */
export function backoffMs(
  tries: number,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
  entropy: Entropy,
): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(tries, 30));
  return ceiling / 2 + (ceiling / 2) * entropy.random();
}
