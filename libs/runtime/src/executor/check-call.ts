import type { CallState } from '@writ/protocol';
import { runtimeLimits } from '../limits';
import type { HeldCall } from './held-call';
import { sealResult } from './result-of-run';

/** `not_now`: the tool could not be asked; the call is left as it is and its owner wakes again. */
export type CheckVerdict = 'passes' | 'refused' | 'not_now';

/** The tool's own word before the claim. It may only refuse, which settles the call without a start (R6). */
export async function checkCall(held: HeldCall, state: CallState): Promise<CheckVerdict> {
  // What a person wants run again was started before: a refusal could not settle it any more (A7).
  const isRerun = state.status === 'ready' && state.order !== undefined;
  if (!held.tool.hasCheck || isRerun) return 'passes';
  const request = held.request(state, { epoch: 0, deadlineMs: runtimeLimits.checkMs });
  const answer = await held.ports.runner.check(request);
  if (answer.ok) return 'passes';
  if (answer.notNow === true) return 'not_now';
  const result = sealResult({
    outcome: 'refused',
    effect: 'none',
    code: 'refused_by_tool',
    content: [{ type: 'text', text: answer.refuse }],
  });
  const write = await held.write(state, { type: 'RefuseByCheck', instance: held.instance, result });
  if (write.result === 'stands') held.notice(write.state);
  return 'refused';
}
