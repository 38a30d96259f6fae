/** R9 as one table: what whoever has taken a call over does next. */
import type { Effect, EffectClass, OnDoubt } from '@writ/contracts';
import { protocolLimits } from '../limits';
import { doubtfulEffect } from './result-table';
import type { CallState, ReconcilingCall } from './state';

/** The tool as the one who reconciles has it loaded. */
export interface ReconcilingTool {
  readonly effectClass: EffectClass;
  readonly fenced: boolean;
  readonly hasReadback: boolean;
  /** Its definition digest is the staged one; another definition may read back, never run. */
  readonly sameDefinition: boolean;
}

export type Reconciliation =
  | { readonly do: 'read_back' }
  | { readonly do: 'run_again' }
  /** Settle `succeeded`, `applied` (a `read` tool is never read back), with the readback's result. */
  | { readonly do: 'commit_applied' }
  | { readonly do: 'settle'; readonly outcome: 'unknown' | 'failed'; readonly effect: Effect }
  | { readonly do: 'hold' };

export const mayStillRun = (state: Pick<CallState, 'epochs'>): boolean =>
  state.epochs.length <= protocolLimits.epochsPerCall;

export function reconcile(state: ReconcilingCall, tool: ReconcilingTool, onDoubt: OnDoubt): Reconciliation {
  const mayRun = tool.sameDefinition && mayStillRun(state);
  if (tool.effectClass === 'read')
    return mayRun ? { do: 'run_again' } : { do: 'settle', outcome: 'failed', effect: 'none' };
  const { readback } = state;
  // Applied stays applied whoever asked; any other answer is asked again by each new holder.
  if (readback?.effect === 'applied') return { do: 'commit_applied' };
  const asked = readback?.epoch === state.epoch;
  if (tool.hasReadback && !asked) return { do: 'read_back' };
  const sure = state.holderWas !== 'silent' || tool.fenced;
  if (mayRun && tool.effectClass === 'idempotent') return { do: 'run_again' };
  if (mayRun && tool.effectClass === 'reconcilable' && asked && readback.effect === 'not_applied' && sure)
    return { do: 'run_again' };
  if (onDoubt === 'hold_for_person') return { do: 'hold' };
  return { do: 'settle', outcome: 'unknown', effect: doubtfulEffect(tool.effectClass, readback, sure) };
}
