import type { Json, PublishedTool } from '@writ/contracts';
import { definitionDigest } from '@writ/runtime';

export const pool = 'default';

const text = { type: 'string' } as const;
const schema = (properties: { [key: string]: Json }, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});

function tool(name: string, given: Partial<PublishedTool> = {}): PublishedTool {
  const definition = {
    name,
    description: name,
    inputSchema: schema({}),
    effectClass: 'read' as const,
    concurrency: 'parallel' as const,
    timeoutMs: 60_000,
    fenced: false,
    delegate: false,
    version: '1',
    ...given,
  };
  return {
    ...definition,
    definitionDigest: definitionDigest(definition),
    hasReadback: false,
    hasCheck: false,
  };
}

/** Every kind of tool that a round treats in its own way. */
export const tools: readonly PublishedTool[] = [
  tool('read_file', { inputSchema: schema({ path: text }, ['path']) }),
  tool('probe_write', {
    inputSchema: schema({ k: text }),
    effectClass: 'idempotent',
    concurrency: { writes: ['/k'] },
  }),
  tool('probe_alone', { effectClass: 'irreversible', concurrency: 'exclusive' }),
  tool('delegate_task', { delegate: true, effectClass: 'idempotent' }),
  tool('get-by-id'),
  tool('get_by_id'),
];
export const toolNames: readonly string[] = tools.map(({ name }) => name);
