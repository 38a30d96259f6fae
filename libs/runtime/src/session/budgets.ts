import type { Budgets, StartTurnRequest } from '@writ/contracts';

/** A turn may ask for less than the configuration allows, never for more. */
export function turnBudgets(allowed: Budgets, asked: StartTurnRequest['budgets']): Budgets {
  const least = (most: number, wish: number | undefined): number => Math.min(most, wish ?? most);
  return {
    steps: least(allowed.steps, asked?.steps),
    callsPerTurn: least(allowed.callsPerTurn, asked?.callsPerTurn),
    callsPerBatch: least(allowed.callsPerBatch, asked?.callsPerBatch),
    wallTimeMs: least(allowed.wallTimeMs, asked?.wallTime),
    roundTimeMs: least(allowed.roundTimeMs, asked?.roundTime),
    delegates: least(allowed.delegates, asked?.delegates),
  };
}
