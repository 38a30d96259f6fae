/** What is still to be done for a session, by its owner (protocol 6). */
import type { EventData, Outcome } from '@writ/contracts';
import type { TurnEnd } from './commands';
import type { AbandonReason } from './state';

export type TurnWork =
  | { readonly do: 'ask_model'; readonly step: number }
  | {
      readonly do: 'wake_executor';
      readonly callId: string;
      readonly pool: string;
      readonly stagedRevision: number;
      readonly because: 'ready' | 'holder_ended';
    }
  | { readonly do: 'wake_approvals'; readonly callId: string; readonly stagedRevision: number }
  | { readonly do: 'cancel'; readonly callId: string; readonly reason: 'round_deadline' | 'interrupt' }
  /** Append `CallsAbandoned`. */
  | { readonly do: 'abandon'; readonly callIds: readonly string[]; readonly why: AbandonReason }
  /** Append the result to the call's stream; `abandonedResult` has its effect and evidence. */
  | {
      readonly do: 'settle_abandoned';
      readonly callId: string;
      readonly outcome: Outcome;
      readonly why: AbandonReason;
    }
  /** No executor is left for a call whose holder has ended: take it over, to settle it next. */
  | { readonly do: 'take_over'; readonly callId: string; readonly endedInstance: string }
  | { readonly do: 'end_turn'; readonly turnId: string; readonly end: TurnEnd }
  | { readonly do: 'release'; readonly why: EventData<'SessionLeaseReleased'>['why'] }
  /** The earliest moment at which time alone changes this list. */
  | { readonly do: 'look_again'; readonly inMs: number };
