import type { ContentPart, Json, ReadbackEffect } from '@writ/contracts';

export interface ToolRequest {
  readonly callId: string;
  readonly tool: string;
  readonly args: { readonly [key: string]: Json };
  readonly idempotencyKey: string;
  readonly epoch: number;
  /** Milliseconds from now; enforced outside the tool's process. */
  readonly deadlineMs: number;
}

export type KillReason = 'deadline' | 'round_deadline' | 'interrupt' | 'stop';

export type RunResult =
  | { readonly status: 'returned'; readonly content: readonly ContentPart[] }
  | {
      readonly status: 'threw';
      readonly notApplied: boolean;
      readonly message: string;
      /** The tool did return, but what it returned cannot be a result; the effect stands. */
      readonly code?: 'unserialisable_result' | 'result_too_large' | undefined;
    }
  | {
      readonly status: 'killed';
      readonly reason: KillReason | 'watchdog' | 'crashed';
      /** The tool's code never began: effect `none`. */
      readonly neverStarted?: true | undefined;
    };

export interface ToolRun {
  /** Settles once the outcome is known and, where the tool was killed, its processes are gone. */
  readonly result: Promise<RunResult>;
  kill(reason: KillReason): void;
}

export interface ReadbackAnswer {
  readonly effect: ReadbackEffect;
  readonly evidence: Json;
  readonly result?: readonly ContentPart[];
  /** It was stopped before it could answer; the tool has said nothing, and asking again is harmless. */
  readonly unanswered?: true | undefined;
}

export type CheckAnswer =
  | { readonly ok: true }
  /** `notNow`: the tool was not asked (no lease, a stop, no process); the call is left alone, not refused. */
  | { readonly ok: false; readonly refuse: string; readonly notNow?: true | undefined };

/** Where tools run: outside the process that holds claims and leases (R10). */
export interface ToolRunner {
  run(request: ToolRequest): ToolRun;
  check(request: ToolRequest): Promise<CheckAnswer>;
  /** A readback that throws, answers in another shape or takes over 10 s is `unknown`. */
  readback(request: ToolRequest): Promise<ReadbackAnswer>;
  /** The holder's lease stands until this moment of the monotonic clock; after it every tool is killed (protocol 7). */
  extend(aliveUntilMonotonicMs: number): void;
  /** Nothing is held: the lease may lapse without idle processes being killed. */
  rest(): void;
  /** Ends once no tool process lives. */
  killAll(reason: KillReason): Promise<void>;
}
