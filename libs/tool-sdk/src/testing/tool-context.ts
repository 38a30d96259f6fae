import type { ToolContext } from '../definition/tool';

/** What a tool is told about a call, where a spec calls it directly. */
export function toolContext(more: Partial<ToolContext> = {}): ToolContext {
  const silent = (): void => {};
  return {
    callId: 'call',
    idempotencyKey: 'key',
    epoch: 1,
    signal: new AbortController().signal,
    log: Object.assign(silent, { debug: silent, info: silent, warn: silent, error: silent }),
    ...more,
  };
}
