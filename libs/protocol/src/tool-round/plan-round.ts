import { judge, type Judged, type Passed } from './judge';
import type { PlannedCall, RefusalDraft, RoundInput, RoundPlan } from './round';
import { cutSegments } from './segments';

/**
 * Plans a whole batch: each call gets the first refusal that applies, in the order of `refusalCodes`, or its verdict by
 * policy. A refused call takes no segment and no budget, and its siblings run (R5).
 */
export function planRound(input: RoundInput): RoundPlan {
  const passed: Passed[] = [];
  const judged = input.calls.map((call, index): Judged => {
    const verdict = judge({ input, call, index, passed });
    if (verdict.status === 'passed') passed.push(verdict);
    return verdict;
  });
  const cuts = cutSegments(passed.map(({ tool, args }) => ({ concurrency: tool.concurrency, args })));
  const segmentOf = new Map<Judged, number>();
  for (const [place, verdict] of passed.entries()) segmentOf.set(verdict, cuts[place] ?? 0);
  return {
    calls: judged.map((verdict, index) =>
      plannedCall(input, { verdict, index, segment: segmentOf.get(verdict) }),
    ),
    segments: (cuts[cuts.length - 1] ?? -1) + 1,
  };
}

interface Place {
  readonly verdict: Judged;
  readonly index: number;
  readonly segment: number | undefined;
}

function plannedCall(input: RoundInput, { verdict, index, segment }: Place): PlannedCall {
  const { call } = verdict;
  const facts = {
    callId: call.callId,
    sessionId: input.sessionId,
    turnId: input.turnId,
    step: input.step,
    index,
    providerCallId: call.providerCallId,
    nameSent: call.nameSent,
    ...(call.wrapper !== undefined && { wrapper: call.wrapper }),
    ...toolFacts(verdict),
    rawArguments: call.rawArguments,
    argsDigest: call.arguments.digest,
    idempotencyKey: call.idempotencyKey,
  };
  if (verdict.status === 'refused') {
    const { code, rule, reason } = verdict.refusal;
    const onDoubt = input.policy?.onDoubt ?? 'tell_model';
    const text = `Refused (${code}), nothing was run: ${reason}`;
    const draft: RefusalDraft = {
      callId: call.callId,
      outcome: 'refused',
      effect: 'none',
      code,
      content: [{ type: 'text', text }],
    };
    return { staged: { ...facts, verdict: 'refused', rule, reason, onDoubt }, refusal: draft };
  }
  const { decision } = verdict;
  return {
    staged: {
      ...facts,
      segment: segment ?? 0,
      verdict: decision.decide === 'ask' ? 'ask' : 'allowed',
      rule: decision.rule,
      ...(decision.reason !== undefined && { reason: decision.reason }),
      ...(decision.approvalDeadlineMs !== undefined && { approvalDeadlineMs: decision.approvalDeadlineMs }),
      onDoubt: decision.onDoubt,
    },
  };
}

/** A refused call keeps what is known about its tool, for whoever reads the record. */
function toolFacts({ call }: Judged) {
  if (call.resolution.status === 'unknown') return { tool: null };
  const { name, definitionDigest, pool, effectClass, timeoutMs } = call.resolution.tool;
  return { tool: name, definitionDigest, pool, effectClass, timeoutMs };
}
