import { reconcile, type CallState, type ReconcilingCall } from '@writ/protocol';
import type { CallWrite } from '../call/call-writer';
import { runtimeLimits } from '../limits';
import { askReadback } from './ask-readback';
import type { HeldCall } from './held-call';
import type { ResultDraft } from './result-of-run';
import { commit, runAndCommit } from './run-and-commit';

/** After a takeover the stream plus readback decides (R9); the table itself is the core's `reconcile`. */
export async function reconcileCall(held: HeldCall, taken: CallState): Promise<void> {
  let state: CallState | undefined = taken;
  for (let steps = 0; steps < runtimeLimits.reconcileSteps; steps += 1) {
    if (state?.status === 'running') return runAndCommit(held, state);
    if (state?.status !== 'reconciling') return;
    state = await takeStep(held, state);
  }
}

/** One step of R9; the call's next state, or undefined once nothing is left to do here. */
async function takeStep(held: HeldCall, state: ReconcilingCall): Promise<CallState | undefined> {
  const { tool, ports } = held;
  const { effectClass, fenced, hasReadback } = tool;
  const sameDefinition = tool.definitionDigest === state.terms.definitionDigest;
  const step = reconcile(state, { effectClass, fenced, hasReadback, sameDefinition }, state.terms.onDoubt);
  ports.log.info('call_reconciling', { callId: state.callId, epoch: state.epoch, step: step.do });
  switch (step.do) {
    case 'read_back':
      return readBack(held, state);
    case 'run_again':
      return runAgain(held, state);
    case 'commit_applied':
      return settle(held, state, appliedResult(state));
    case 'settle':
      return settle(held, state, {
        outcome: step.outcome,
        effect: step.effect,
        code: 'holder_lost',
        content: [
          { type: 'text', text: 'The executor that ran this call ended before its result was recorded.' },
        ],
      });
    case 'hold':
      return hold(held, state);
  }
}

async function readBack(held: HeldCall, state: ReconcilingCall): Promise<CallState | undefined> {
  const { epoch } = state;
  const answer = await askReadback(held, held.request(state, { epoch, deadlineMs: held.timeoutMs(state) }));
  if (answer === undefined) return undefined;
  held.ports.crash.pass('H3');
  const { effect, evidence, result } = answer;
  const found = result === undefined ? {} : { result };
  return standing(
    await held.write(state, {
      type: 'RecordReadback',
      instance: held.instance,
      epoch,
      effect,
      evidence,
      ...found,
    }),
  );
}

async function runAgain(held: HeldCall, state: ReconcilingCall): Promise<CallState | undefined> {
  const { instance, ports, tool } = held;
  const { definitionDigest, fenced } = tool;
  const deadline = new Date(ports.clock.wallMs() + held.timeoutMs(state)).toISOString();
  const { epoch } = state;
  return standing(
    await held.write(state, { type: 'Rerun', instance, epoch, deadline, definitionDigest, fenced }),
  );
}

async function settle(held: HeldCall, state: ReconcilingCall, draft: ResultDraft): Promise<undefined> {
  const { readback } = state;
  const known =
    readback === undefined ? {} : { readback: { effect: readback.effect, evidence: readback.evidence } };
  await commit(held, state, { ...draft, ...known });
  return undefined;
}

function appliedResult({ readback }: ReconcilingCall): ResultDraft {
  const content = readback?.result ?? [
    { type: 'text' as const, text: 'A readback found the effect applied.' },
  ];
  return { outcome: 'succeeded', effect: 'applied', content: [...content] };
}

async function hold(held: HeldCall, state: ReconcilingCall): Promise<undefined> {
  const deadline = new Date(held.ports.clock.wallMs() + runtimeLimits.doubtHeldMs).toISOString();
  const evidence = state.readback === undefined ? [] : [state.readback.evidence];
  const { instance } = held;
  const { epoch } = state;
  const write = await held.write(state, { type: 'HoldDoubt', instance, epoch, deadline, evidence });
  if (write.result === 'stands') held.notice(write.state);
  return undefined;
}

const standing = (write: CallWrite): CallState | undefined =>
  write.result === 'stands' ? write.state : undefined;
