import { reconcile, type CallState } from '@writ/protocol';
import { runtimeLimits } from '../limits';
import type { HeldCall } from './call-executor';
import { noticeOf, runAndCommit, commit, toolRequest } from './run-and-commit';

/** After a takeover the stream plus readback decides (R9); the table itself is the core's `reconcile`. */
export async function reconcileCall(held: HeldCall, taken: CallState): Promise<void> {
  let state = taken;
  for (let steps = 0; steps < runtimeLimits.reconcileSteps; steps += 1) {
    if (state.status === 'running') return runAndCommit(held, state);
    if (state.status !== 'reconciling') return;
    const next = await reconcileStep(held, state);
    if (next === undefined) return;
    state = next;
  }
}

/** One step of R9; the call's next state, or undefined once nothing is left to do here. */
async function reconcileStep(
  held: HeldCall,
  state: CallState & { status: 'reconciling' },
): Promise<CallState | undefined> {
  const { clock, runner, crash, log } = held.ports;
  const { tool, instance } = held;
  const { epoch } = state;
  const deadlineMs = state.staged.data.timeoutMs ?? tool.timeoutMs;
  const sameDefinition = tool.definitionDigest === state.staged.data.definitionDigest;
  const { effectClass, fenced, hasReadback } = tool;
  const step = reconcile(
    state,
    { effectClass, fenced, hasReadback, sameDefinition },
    state.staged.data.onDoubt,
  );
  log.info('call_reconciling', { callId: state.callId, epoch, step: step.do });
  switch (step.do) {
    case 'read_back': {
      const answer = await runner.readback(toolRequest(held, state, { epoch, deadlineMs }));
      crash.pass('H3');
      const result = answer.result === undefined ? {} : { result: [...answer.result] };
      return stands(
        await held.write(state, {
          type: 'RecordReadback',
          instance,
          epoch,
          effect: answer.effect,
          evidence: answer.evidence,
          ...result,
        }),
      );
    }
    case 'run_again': {
      const deadline = new Date(clock.wallMs() + deadlineMs).toISOString();
      const { definitionDigest } = tool;
      return stands(
        await held.write(state, { type: 'Rerun', instance, epoch, deadline, definitionDigest, fenced }),
      );
    }
    case 'commit_applied': {
      const content = state.readback?.result ?? [
        { type: 'text' as const, text: 'A readback found the effect applied.' },
      ];
      await commit(held, state, {
        outcome: 'succeeded',
        effect: 'applied',
        content: [...content],
        ...recordedReadback(state),
      });
      return undefined;
    }
    case 'settle': {
      const text = 'The executor that ran this call ended before its result was recorded.';
      const content = [{ type: 'text' as const, text }];
      await commit(held, state, {
        outcome: step.outcome,
        effect: step.effect,
        code: 'holder_lost',
        content,
        ...recordedReadback(state),
      });
      return undefined;
    }
    case 'hold': {
      const deadline = new Date(clock.wallMs() + runtimeLimits.doubtHeldMs).toISOString();
      const evidence = state.readback === undefined ? [] : [state.readback.evidence];
      const write = await held.write(state, { type: 'HoldDoubt', instance, epoch, deadline, evidence });
      if (write.result === 'stands') noticeOf(held, write.state);
      return undefined;
    }
  }
}

const recordedReadback = (state: CallState & { status: 'reconciling' }) =>
  state.readback === undefined
    ? {}
    : { readback: { effect: state.readback.effect, evidence: state.readback.evidence } };

const stands = (write: Awaited<ReturnType<HeldCall['write']>>): CallState | undefined =>
  write.result === 'stands' ? write.state : undefined;
