import type { Budgets, EventData, Json } from '@writ/contracts';
import type { CompiledPolicy } from '../policy';
import type { NameResolution } from '../toolsets';
import type { ArgumentsCode, RefusalCode } from './refusals';

/** What became of the raw arguments. `digest` is that of the bytes where they did not parse or no tool is known (protocol 2). */
export type ArgumentsVerdict =
  | { readonly ok: true; readonly args: { readonly [key: string]: Json }; readonly digest: string }
  /** `message` names the place, never a value. */
  | { readonly ok: false; readonly code: ArgumentsCode; readonly message: string; readonly digest: string };

/** Whether the arguments fit the tool's schema; `message` says what to fix and repeats no value. */
export type SchemaVerdict = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** One entry of the model's batch with everything that was found out about it at the edge. */
export interface ProposedCallInput {
  /** As the provider sent it; a label, never a key (R11). Empty where it sent none. */
  readonly providerCallId: string;
  readonly nameSent: string;
  readonly rawArguments: string;
  /** Ours, fresh and random. */
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly resolution: NameResolution;
  readonly arguments: ArgumentsVerdict;
  readonly schema: SchemaVerdict;
  /** The wrapper that it was taken out of, and its place there. */
  readonly wrapper?: EventData<'ToolCallStaged'>['wrapper'];
  /** It is a wrapper itself and could not be taken apart: what is wrong with it. */
  readonly wrapperFault?: string;
}

export interface RoundInput {
  readonly sessionId: string;
  readonly turnId: string;
  readonly step: number;
  /** As the provider gave it. */
  readonly finishReason: string;
  /** In the model's order. */
  readonly calls: readonly ProposedCallInput[];
  /** What the model was shown. */
  readonly visibleNames: readonly string[];
  /** Missing means that every call is refused (R6). */
  readonly policy: CompiledPolicy | undefined;
  readonly budgets: Budgets;
  /** Calls of earlier steps of this turn that were not refused. */
  readonly callsUsed: number;
}

/** The result of a refused call, before its digest is computed at the edge. */
export interface RefusalDraft {
  readonly callId: string;
  readonly outcome: 'refused';
  readonly effect: 'none';
  readonly code: RefusalCode;
  readonly content: EventData<'ToolResultCommitted'>['content'];
}

export interface PlannedCall {
  readonly staged: EventData<'ToolCallStaged'>;
  /** There exactly when the staged verdict is `refused`. */
  readonly refusal?: RefusalDraft;
}

export interface RoundPlan {
  /** One per proposed call, in the model's order. */
  readonly calls: readonly PlannedCall[];
  /** How many segments there are; 0 where every call was refused. */
  readonly segments: number;
}
