const steps = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** How long ago a recorded time was, in one unit: `4 min`. Clocks of two machines may differ; less than nothing is now. */
export function ageOf(time: string, nowMs: number): string {
  const ms = Math.max(0, nowMs - Date.parse(time));
  const [size, unit] = steps.find(([least]) => ms >= least) ?? ([1_000, 's'] as const);
  return `${Math.floor(ms / size)} ${unit}`;
}
