import type { Json } from '@writ/contracts';
import { authorize, type PolicyDecision } from '../policy';
import type { VisibleTool } from '../toolsets';
import { listed, refusal, type Refusal } from './refusals';
import type { ProposedCallInput, RoundInput } from './round';
import { wasCut } from './was-cut';

/** A call that may run, perhaps after a person was asked. */
export interface Passed {
  readonly status: 'passed';
  readonly call: ProposedCallInput;
  readonly tool: VisibleTool;
  readonly args: { readonly [key: string]: Json };
  readonly decision: PolicyDecision;
}
export interface Refused {
  readonly status: 'refused';
  readonly call: ProposedCallInput;
  readonly refusal: Refusal;
}
export type Judged = Passed | Refused;

export interface Judging {
  readonly input: RoundInput;
  readonly call: ProposedCallInput;
  readonly index: number;
  /** The calls before it that may run. */
  readonly passed: readonly Passed[];
}

/** The order of `refusalCodes`, R6's: visibility, arguments, policy, then what the batch and the budgets leave room for. */
export function judge(judging: Judging): Judged {
  const { input, call } = judging;
  const refused = (why: Refusal): Refused => ({ status: 'refused', call, refusal: why });

  const cut = truncation(judging);
  if (cut) return refused(cut);
  if (call.wrapperFault !== undefined)
    return refused(refusal('invalid_batch', 'expansion', call.wrapperFault));
  if (call.resolution.status === 'unknown')
    return refused(unknownTool(input, call.nameSent, call.resolution.candidates));
  if (!call.arguments.ok)
    return refused(argumentsRefusal(`${call.arguments.code}: ${call.arguments.message}`));
  if (!call.schema.ok) return refused(argumentsRefusal(call.schema.message));

  const { tool } = call.resolution;
  const { args } = call.arguments;
  const decision = authorize(input.policy, { tool: tool.name, effectClass: tool.effectClass, args });
  if (decision.decide === 'refuse')
    return refused(
      refusal('policy_refused', decision.rule, decision.reason ?? `refused by ${decision.rule}`),
    );

  const candidate: Passed = { status: 'passed', call, tool, args, decision };
  const late = duplicate(judging, candidate) ?? overCap(judging, candidate);
  return late ? refused(late) : candidate;
}

/** Where a reply was cut its last call is incomplete even if it happens to parse; the calls before it are whole (F09). */
function truncation({ input, index }: Judging): Refusal | undefined {
  const isLast = index === input.calls.length - 1;
  if (!isLast || !wasCut(input.finishReason)) return undefined;
  return refusal('truncated', 'truncation', 'the reply ended early, in this call; send it again whole');
}

/** A blank name is not answered with the list of tools: models that were given it went on sending blank names. */
function unknownTool(input: RoundInput, nameSent: string, candidates: readonly string[]): Refusal {
  if (/^[\s\p{C}]*$/u.test(nameSent))
    return refusal(
      'unknown_tool',
      'visibility',
      'the call has no name; send it again with the name of a tool',
    );
  const meant =
    candidates.length > 0 ? `the name could mean ${listed(candidates)}; ` : 'no tool has this name; ';
  return refusal('unknown_tool', 'visibility', `${meant}available tools: ${listed(input.visibleNames)}`);
}

const argumentsRefusal = (reason: string): Refusal => refusal('invalid_arguments', 'arguments', reason);

/**
 * The same entry twice in one batch: provider id, tool and arguments. Two different calls under one provider id both
 * run, and so do equal calls under two ids: the model may want an effect twice (R11, F07, F08).
 */
function duplicate({ passed }: Judging, { call, tool }: Passed): Refusal | undefined {
  const first = passed.find(
    (earlier) =>
      earlier.call.providerCallId === call.providerCallId &&
      earlier.tool.name === tool.name &&
      earlier.call.arguments.digest === call.arguments.digest,
  );
  return (
    first &&
    refusal('duplicate_call', 'duplicates', 'an identical call stands earlier in this batch; see its result')
  );
}

function overCap({ input, passed }: Judging, { tool }: Passed): Refusal | undefined {
  const { delegates, callsPerBatch, callsPerTurn } = input.budgets;
  if (tool.delegate && passed.filter((earlier) => earlier.tool.delegate).length >= delegates)
    return refusal('delegate_cap', 'budgets.delegates', `a batch may delegate ${delegates} times at most`);
  if (passed.length >= callsPerBatch)
    return refusal(
      'batch_cap',
      'budgets.callsPerBatch',
      `a batch may hold ${callsPerBatch} calls at most; send it again later`,
    );
  if (input.callsUsed + passed.length >= callsPerTurn)
    return refusal(
      'calls_budget',
      'budgets.callsPerTurn',
      `this turn may make ${callsPerTurn} calls at most, and has`,
    );
  return undefined;
}
