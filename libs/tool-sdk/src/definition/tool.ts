import type { Concurrency, EffectClass, Json, ReadbackEffect } from '@writ/contracts';

/** What a tool is told about the call that it runs for. */
export interface ToolContext {
  readonly callId: string;
  /** The same for every attempt of this call, and for no other call. */
  readonly idempotencyKey: string;
  /** Fencing token (protocol 1): grows with every takeover of the call. */
  readonly epoch: number;
  /** Aborted shortly before an interrupted tool is killed. */
  readonly signal: AbortSignal;
  readonly log: ToolLog;
}

/** Lines for the executor's log, cut in length and rate. Nothing secret belongs into them. */
export interface ToolLog {
  (message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** A schema of zod 4, from whichever copy of it the module uses. */
export interface ZodLike<Output = unknown> {
  readonly _zod: { readonly output: Output; readonly def: object };
}
export interface JsonSchemaInput {
  readonly [keyword: string]: unknown;
}
export type ToolInput = ZodLike | JsonSchemaInput;
export type ArgsOf<Input> = Input extends { readonly _zod: { readonly output: infer Output } }
  ? Output
  : { readonly [key: string]: Json };

export type Promised<T> = T | Promise<T>;
/** `effect` is about `ctx.idempotencyKey`; `not_applied` only if no earlier attempt can still land (protocol 1). */
export interface ReadbackReply {
  readonly effect: ReadbackEffect;
  readonly evidence?: unknown;
  /** What `run` would have returned. */
  readonly result?: unknown;
}

/** A tool as its author writes it (interfaces.md, "A tool"). */
export interface Tool<Input extends ToolInput = ToolInput> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly effect: EffectClass;
  readonly concurrency?: Concurrency;
  readonly timeoutMs?: number;
  readonly fenced?: boolean;
  readonly delegate?: boolean;
  readonly version?: string;
  run(args: ArgsOf<Input>, ctx: ToolContext): unknown;
  readback?(args: ArgsOf<Input>, ctx: ToolContext): Promised<ReadbackReply>;
  check?(args: ArgsOf<Input>, ctx: ToolContext): Promised<{ readonly refuse: string } | undefined | void>;
}

/** Every key that a tool may have; another one is taken for a slip of the pen. */
export const toolKeys = [
  'name',
  'description',
  'input',
  'effect',
  'concurrency',
  'timeoutMs',
  'fenced',
  'delegate',
  'version',
  'run',
  'readback',
  'check',
] as const;
