import type { Budgets, NewEvent } from '@writ/contracts';
import {
  planRound,
  resolveName,
  type Aliases,
  type CompiledPolicy,
  type PlannedCall,
  type ProposedCallInput,
  type VisibleTool,
} from '@writ/protocol';
import { argumentsDigest, keptText, rawDigest, readArguments, type ReadArguments } from '../arguments';
import { digestOf } from '../digest';
import { argumentLimits } from '../limits';
import type { Entropy, ModelReply } from '../ports';
import type { SchemaValidation } from '../schema-validation';
import { expandCalls, type ExpandedCall } from './expand-calls';

export interface RoundContext {
  readonly sessionId: string;
  readonly turnId: string;
  readonly step: number;
  /** What the model was shown with the request that this reply answers. */
  readonly visible: readonly VisibleTool[];
  readonly aliases?: Aliases | undefined;
  readonly policy: CompiledPolicy | undefined;
  readonly budgets: Budgets;
  /** Calls of earlier steps of this turn that were not refused. */
  readonly callsUsed: number;
  readonly entropy: Entropy;
  readonly validation: SchemaValidation;
}

export interface ProposedRound {
  readonly calls: readonly PlannedCall[];
  readonly segments: number;
  /** The step's part after the assistant's message: one staged event per call in order, then one result per refused call. */
  readonly events: readonly NewEvent<'ToolCallStaged' | 'ToolResultCommitted'>[];
}

/** Takes batches apart, judges a reply's calls and drafts their events; a reply without calls gives an empty round. */
export function proposeRound(reply: ModelReply, context: RoundContext): ProposedRound {
  const { sessionId, turnId, step, policy, budgets, callsUsed } = context;
  const plan = planRound({
    sessionId,
    turnId,
    step,
    finishReason: reply.finishReason,
    calls: expandCalls(reply, context.visible).map((call) => examined(call, context)),
    visibleNames: context.visible.map((tool) => tool.name),
    policy,
    budgets,
    callsUsed,
  });
  const staged = plan.calls.map((call) => ({ type: 'ToolCallStaged', data: call.staged }) as const);
  return { ...plan, events: [...staged, ...plan.calls.flatMap(refusedResult)] };
}

function refusedResult({ refusal }: PlannedCall): NewEvent<'ToolResultCommitted'>[] {
  if (refusal === undefined) return [];
  const { outcome, effect, code, content } = refusal;
  const digest = digestOf({ outcome, effect, code, content });
  return [{ type: 'ToolResultCommitted', data: { ...refusal, digest } }];
}

/** Everything that is found out about one entry before the core judges it. */
function examined(call: ExpandedCall, context: RoundContext): ProposedCallInput {
  const callId = `call_${context.entropy.uuid().replaceAll('-', '')}`;
  const resolution = resolveName(call.name, context.visible, context.aliases);
  const tool = resolution.status === 'resolved' ? resolution.tool : undefined;
  const read = readSent(call);
  // A text over the limit could not be staged at all: the record keeps its beginning, and the digest of all of it.
  const isTooLarge = !read.ok && read.code === 'too_large';
  return {
    providerCallId: keptId(call.id ?? ''),
    nameSent: keptText(call.name, argumentLimits.nameKeptCharacters),
    rawArguments: keptText(call.arguments, isTooLarge ? argumentLimits.rawKeptCharacters : undefined),
    callId,
    // Ours and never the provider's, whose ids come again in every turn (F07).
    idempotencyKey: callId,
    resolution,
    ...verdicts({ raw: call.arguments, read, tool }, context.validation),
    ...(call.wrapper !== undefined && { wrapper: call.wrapper }),
    ...(call.wrapperFault !== undefined && { wrapperFault: call.wrapperFault }),
  };
}

/** As sent, however odd; only what could not be staged is shortened, and then two that differ still differ. */
function keptId(id: string): string {
  if (id.length <= argumentLimits.idKeptCharacters) return keptText(id);
  return `${keptText(id, argumentLimits.idKeptCharacters)}… ${rawDigest(id)}`;
}

function readSent({ arguments: raw, sentAs }: ExpandedCall): ReadArguments {
  const read = readArguments(raw);
  if (sentAs === undefined || (!read.ok && read.code === 'too_large')) return read;
  const what = sentAs === 'object' ? 'an object' : `a ${sentAs}`;
  return { ok: false, code: 'not_text', message: `they came as ${what}; send them as a text of JSON` };
}

interface Reading {
  readonly raw: string;
  readonly read: ReadArguments;
  readonly tool: VisibleTool | undefined;
}

function verdicts(
  { raw, read, tool }: Reading,
  validation: SchemaValidation,
): Pick<ProposedCallInput, 'arguments' | 'schema'> {
  const digest = rawDigest(raw);
  if (!read.ok) return { arguments: { ...read, digest }, schema: { ok: true } };
  const { args, blank } = read;
  if (tool === undefined) return { arguments: { ok: true, args, digest }, schema: { ok: true } };
  const schema = validation.validate(tool, args);
  // A blank text that may not stand for `{}` was never arguments, so its digest is that of its bytes.
  if (blank && !schema.ok) return { arguments: { ok: true, args, digest }, schema };
  const { name, definitionDigest } = tool;
  return {
    arguments: { ok: true, args, digest: argumentsDigest({ tool: name, definitionDigest, args }) },
    schema,
  };
}
