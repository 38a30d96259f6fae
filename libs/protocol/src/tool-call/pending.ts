/** What an executor that was woken for a call does; the same after its own restart (R9, R16). */
import type { CallState } from './state';

export interface ExecutorSelf {
  /** Instance id. */
  readonly instance: string;
  readonly pool: string;
  /** Of the tool as loaded here; absent where this executor has no such tool. */
  readonly definitionDigest?: string;
  readonly hasReadback?: boolean;
}
export type HolderLease = 'live' | 'ended' | 'unknown';
export type ExecutorWork =
  | { readonly do: 'claim' }
  | { readonly do: 'take_over' }
  /** It has taken the call over itself and has not finished: go on with `reconcile`. */
  | { readonly do: 'reconcile' }
  | {
      readonly do: 'nothing';
      readonly reason:
        | 'settled'
        | 'awaiting_approval'
        | 'held'
        | 'other_pool'
        | 'other_definition'
        | 'already_mine'
        | 'holder_lives'
        | 'holder_unknown';
    };

/** `holderLease`: `ended` only where its `LeaseEnded` is on record. A `ready` call has no holder; the value is then not looked at. */
export function executorNext(state: CallState, me: ExecutorSelf, holderLease: HolderLease): ExecutorWork {
  if (state.status === 'settled') return nothing('settled');
  if (state.status === 'awaiting_approval') return nothing('awaiting_approval');
  if (state.status === 'held') return nothing('held');
  if (state.terms.pool !== me.pool) return nothing('other_pool');
  const sameDefinition = state.terms.definitionDigest === me.definitionDigest;
  if (state.status === 'ready') return sameDefinition ? { do: 'claim' } : nothing('other_definition');
  if (state.holder === me.instance)
    return state.status === 'reconciling' ? { do: 'reconcile' } : nothing('already_mine');
  if (holderLease !== 'ended') return nothing(holderLease === 'live' ? 'holder_lives' : 'holder_unknown');
  // Another definition is only good for asking; without a readback others of the pool, or the owner's bound, do better.
  const mayAsk = me.definitionDigest !== undefined && me.hasReadback === true;
  return sameDefinition || mayAsk ? { do: 'take_over' } : nothing('other_definition');
}

type Reason = Extract<ExecutorWork, { do: 'nothing' }>['reason'];
const nothing = (reason: Reason): ExecutorWork => ({ do: 'nothing', reason });
