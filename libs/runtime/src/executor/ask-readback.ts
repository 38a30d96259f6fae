import { runtimeLimits } from '../limits';
import type { ReadbackAnswer, ToolRequest } from '../ports';
import type { HeldCall } from './held-call';

/**
 * The tool's own question to the world. One that was stopped before it could answer, because the lease had lapsed for
 * instance, is asked again once the lease stands; undefined where the call is an heir's by then.
 */
export async function askReadback(held: HeldCall, request: ToolRequest): Promise<ReadbackAnswer | undefined> {
  for (let tries = 1; ; tries += 1) {
    const answer = await held.ports.runner.readback(request);
    if (answer.unanswered !== true || tries >= runtimeLimits.readbackTries) return answer;
    if (!(await stillMine(held))) return undefined;
  }
}

/** After a stop: does the lease under which the call was claimed still stand? Then its holder settles it (protocol 7). */
export async function stillMine(held: HeldCall): Promise<boolean> {
  const { lease, clock } = held.ports;
  while (lease.instance === held.instance && !lease.mayAct()) await clock.sleep(runtimeLimits.enterEveryMs);
  return lease.instance === held.instance;
}
