import { resolveName, wasCut, wrapperNamed, type ProposedCallInput, type VisibleTool } from '@writ/protocol';
import { readWrapped } from '../arguments';
import type { ModelReply, ProposedCall } from '../ports';

export type ExpandedCall = ProposedCall & Pick<ProposedCallInput, 'wrapper' | 'wrapperFault'>;

/**
 * Takes batches out of the calls that hold them, before anything is judged (R11): every entry is a call of its own,
 * with its own authorization, claim and result. A wrapper that cannot be taken apart stays a call and is refused.
 */
export function expandCalls(
  { calls, finishReason }: Pick<ModelReply, 'calls' | 'finishReason'>,
  visible: readonly VisibleTool[],
): readonly ExpandedCall[] {
  return calls.flatMap((call, index) => {
    const isCut = index === calls.length - 1 && wasCut(finishReason);
    return isCut ? [call] : expanded(call, visible);
  });
}

function expanded(call: ProposedCall, visible: readonly VisibleTool[]): readonly ExpandedCall[] {
  const wrapper = wrapperNamed(call.name);
  if (wrapper === undefined || resolveName(call.name, visible).status === 'resolved') return [call];
  const read = readWrapped(call.arguments, wrapper);
  if (!read.ok) return [refused(call, read.message)];
  if (read.calls.some(({ name }) => wrapperNamed(name) !== undefined))
    return [refused(call, 'a batch may not hold a batch')];
  return read.calls.map((inner, place) => ({
    ...call,
    ...inner,
    wrapper: { nameSent: call.name, place, of: read.calls.length },
  }));
}

const refused = (call: ProposedCall, message: string): ExpandedCall => ({
  ...call,
  wrapperFault: `${message}; send the calls themselves, side by side`,
});
