/** Tools for specs with everything filled in; a spec says only what it is about. */
import type { PublishedTool } from '@writ/contracts';
import type { VisibleTool } from '@writ/protocol';
import { definitionDigest } from '../schema-validation';

/** A visible tool; its definition digest follows from the rest. */
export function visibleTool(name: string, given: Partial<PublishedTool> = {}): VisibleTool {
  const tool = {
    name,
    description: name,
    inputSchema: { type: 'object' },
    effectClass: 'read',
    concurrency: 'parallel',
    timeoutMs: 60_000,
    fenced: false,
    delegate: false,
    version: '1',
    hasReadback: false,
    hasCheck: false,
    pool: 'default',
    ...given,
  } as const;
  return { ...tool, definitionDigest: definitionDigest(tool) };
}
