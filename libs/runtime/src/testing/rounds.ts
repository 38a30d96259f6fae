/** Rounds for specs: a reader, a writer, a policy that allows, ids that count up. */
import type { Json } from '@writ/contracts';
import type { CompiledPolicy } from '@writ/protocol';
import type { ModelReply, ProposedCall } from '../ports';
import { schemaValidation } from '../schema-validation';
import { proposeRound, type RoundContext } from '../tool-round';
import { visibleTool } from './tools';

const object = (properties: { [key: string]: Json }, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
export const readFile = visibleTool('read_file', {
  inputSchema: object({ path: { type: 'string' } }, ['path']),
});
export const probe = visibleTool('probe_write', {
  inputSchema: object({ k: { type: 'string' } }),
  effectClass: 'reconcilable',
  concurrency: { writes: ['/k'] },
});
export const byDash = visibleTool('get-by-id');
export const byScore = visibleTool('get_by_id');

export const policy: CompiledPolicy = { rules: [{ match: {}, decide: 'allow' }], onDoubt: 'tell_model' };
export const budgets = {
  steps: 5,
  callsPerTurn: 50,
  callsPerBatch: 20,
  wallTimeMs: 1_000,
  roundTimeMs: 1_000,
  delegates: 3,
};
export const validation = schemaValidation();

function context(given: Partial<RoundContext> = {}): RoundContext {
  let minted = 0;
  const uuid = () => `00000000-0000-4000-8000-${String((minted += 1)).padStart(12, '0')}`;
  const entropy = { uuid, random: () => 0 };
  const visible = [readFile, probe];
  return {
    sessionId: 's1',
    turnId: 't1',
    step: 1,
    visible,
    policy,
    budgets,
    callsUsed: 0,
    entropy,
    validation,
    ...given,
  };
}
const reply = (calls: ProposedCall[], finishReason = 'tool_calls'): ModelReply => ({
  text: '',
  calls,
  finishReason,
  model: 'scripted',
});
export const probing = (args: string, id = 'c'): ProposedCall => ({
  id,
  name: 'probe_write',
  arguments: args,
});
export const propose = (calls: ProposedCall[], given: Partial<RoundContext> = {}, finishReason?: string) =>
  proposeRound(reply(calls, finishReason), context(given));
export const outcomes = (...given: Parameters<typeof propose>) =>
  propose(...given).calls.map(({ staged, refusal }) => refusal?.code ?? staged.tool);
