import { effectClassSchema, type EffectClass, type RecordedEvent } from '@writ/contracts';
import { z } from 'zod';
import { simulationLimits } from '../limits';

const stagedSchema = z.object({ effectClass: effectClassSchema.optional() });

export interface Calls {
  readonly staged: number;
  readonly classes: ReadonlySet<EffectClass>;
}

export function callsOf(log: readonly RecordedEvent[]): Calls {
  const staged = log.filter(({ type }) => type === 'ToolCallStaged');
  const classes = staged.flatMap(({ data }) => stagedSchema.parse(data).effectClass ?? []);
  return { staged: staged.length, classes: new Set(classes) };
}

/** Whether the run has not had the calls yet that it must have had to count. */
export function lacksCalls(log: readonly RecordedEvent[]): boolean {
  const { staged, classes } = callsOf(log);
  const { calls, classes: all } = simulationLimits.least;
  return staged < calls || classes.size < all;
}
