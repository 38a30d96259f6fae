import type { BuiltinName } from './names';

export interface BuiltinOptions {
  /** Absolute path of the folder that the tools work in, and never leave. */
  readonly root: string;
  readonly tools: readonly BuiltinName[];
}

export function builtinTools(options: BuiltinOptions): object {
  return { options };
}
