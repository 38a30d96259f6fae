/** Log positions are decimal strings that may exceed what a JSON number holds; they are compared as whole numbers. */

/** Negative where `a` comes before `b` in the log, 0 where they are the same. */
export function comparePositions(a: string, b: string): number {
  const left = BigInt(a);
  const right = BigInt(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

export const laterPosition = (a: string, b: string): string => (comparePositions(a, b) < 0 ? b : a);

/** The events whose log position is at most `at`, in the order given. */
export function throughPosition<E extends { readonly position: string }>(
  events: readonly E[],
  at: string,
): E[] {
  return events.filter((event) => comparePositions(event.position, at) <= 0);
}
