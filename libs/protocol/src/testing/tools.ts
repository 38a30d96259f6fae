/** Tools and batches for specs with everything filled in; a spec says only what it is about. */
import type { PublishedTool } from '@writ/contracts';
import type { CompiledPolicy } from '../policy';
import type { ProposedCallInput, RoundInput } from '../tool-round';
import type { VisibleTool } from '../toolsets';
import { digest, sessionId, turnId } from './facts';

export const published = (name: string, given: Partial<PublishedTool> = {}): PublishedTool => ({
  name,
  description: name,
  inputSchema: {},
  effectClass: 'read',
  concurrency: 'exclusive',
  timeoutMs: 60_000,
  fenced: false,
  delegate: false,
  version: '1',
  definitionDigest: digest('d'),
  hasReadback: false,
  hasCheck: false,
  ...given,
});

export const visible = (name: string, given: Partial<VisibleTool> = {}): VisibleTool => ({
  ...published(name, given),
  pool: given.pool ?? 'default',
});

export const allowAll: CompiledPolicy = { rules: [{ match: {}, decide: 'allow' }], onDoubt: 'tell_model' };

/** A call to a visible tool with sound arguments; equal arguments have equal digests. */
export const proposed = (
  callId: string,
  tool: VisibleTool | undefined,
  given: Partial<ProposedCallInput> = {},
): ProposedCallInput => ({
  providerCallId: `p-${callId}`,
  nameSent: tool?.name ?? 'no_such_tool',
  rawArguments: '{}',
  callId,
  idempotencyKey: callId,
  resolution: tool ? { status: 'resolved', how: 'exact', tool } : { status: 'unknown', candidates: [] },
  arguments: { ok: true, args: {}, digest: digest('e') },
  schema: { ok: true },
  ...given,
});

export const batch = (calls: readonly ProposedCallInput[], given: Partial<RoundInput> = {}): RoundInput => ({
  sessionId,
  turnId,
  step: 1,
  finishReason: 'tool_calls',
  calls,
  visibleNames: ['read_file', 'write_file'],
  policy: allowAll,
  budgets: {
    steps: 50,
    callsPerTurn: 200,
    callsPerBatch: 64,
    wallTimeMs: 1_800_000,
    roundTimeMs: 600_000,
    delegates: 3,
  },
  callsUsed: 0,
  ...given,
});
