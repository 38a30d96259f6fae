import { cells } from './cells';

/** How often each thing happened, over many runs; mergeable, so that workers may count apart. */
export type Coverage = { [cell: string]: number };

export const count = (into: Coverage, cell: string, by = 1): void => {
  into[cell] = (into[cell] ?? 0) + by;
};

export function merge(into: Coverage, from: Coverage): void {
  for (const [cell, times] of Object.entries(from)) count(into, cell, times);
}

export const emptyCells = (coverage: Coverage): readonly string[] =>
  cells.filter((cell) => (coverage[cell] ?? 0) === 0);

/** Every cell and whatever else was counted, one a line. */
export function tableOf(coverage: Coverage): readonly string[] {
  const more = Object.keys(coverage).filter((cell) => !cells.includes(cell));
  return [...cells, ...more.sort()].map((cell) => `${String(coverage[cell] ?? 0).padStart(10)}  ${cell}`);
}
