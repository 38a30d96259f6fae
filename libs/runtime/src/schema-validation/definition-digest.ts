import type { ToolDefinition } from '@writ/contracts';
import { digestOf } from '../digest';

/** Over exactly what a definition is: a published tool's other members do not count (interfaces.md, "A tool"). */
export function definitionDigest(tool: ToolDefinition): string {
  const { name, description, inputSchema, effectClass, concurrency, timeoutMs, fenced, delegate, version } =
    tool;
  return digestOf({
    name,
    description,
    inputSchema,
    effectClass,
    concurrency,
    timeoutMs,
    fenced,
    delegate,
    version,
  });
}
