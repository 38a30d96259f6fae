import type { CallState } from '@writ/protocol';
import type { RunResult, ToolRequest } from '../ports';
import { runtimeLimits } from '../limits';
import type { HeldCall } from './call-executor';
import { effectIsOpen, resultOfRun, sealResult, type ResultDraft } from './result-of-run';

/** Runs a claimed call and commits the one result of it. */
export async function runAndCommit(held: HeldCall, state: CallState): Promise<void> {
  if (state.status !== 'running') return;
  const { log, runner, crash } = held.ports;
  crash.pass('K4b');
  const deadlineMs = state.staged.data.timeoutMs ?? held.tool.timeoutMs;
  const request = toolRequest(held, state, { epoch: state.epoch, deadlineMs });
  log.info('tool_started', {
    callId: state.callId,
    sessionId: state.sessionId,
    tool: held.tool.name,
    epoch: state.epoch,
    attempt: state.attempt,
  });
  const run = runner.run(request);
  held.running = run;
  const result = await run.result;
  delete held.running;
  crash.pass('K5');
  if (stoppedHard(result) && !(await stillMine(held))) {
    log.warn('call_left_to_heirs', { callId: state.callId, epoch: state.epoch });
    return;
  }
  const readback =
    held.tool.hasReadback && effectIsOpen(result, held.tool) ? await runner.readback(request) : undefined;
  await commit(held, state, resultOfRun(result, held.tool, readback));
}

/** Commits a result under the epoch that produced it. What comes too late is kept as evidence (R8). */
export async function commit(
  held: HeldCall,
  state: CallState & { epoch: number },
  draft: ResultDraft,
): Promise<void> {
  const { log, crash } = held.ports;
  const result = sealResult(draft);
  const { instance } = held;
  const write = await held.write(
    state,
    { type: 'CommitResult', instance, epoch: state.epoch, result },
    { inFlight: 'K6' },
  );
  if (write.result === 'stands') {
    crash.pass('K7');
    const position = write.events.at(-1)?.position;
    log.info('call_committed', {
      callId: state.callId,
      sessionId: state.sessionId,
      outcome: result.outcome,
      effect: result.effect,
      position,
    });
    noticeOf(held, write.state);
    return;
  }
  log.warn('result_not_committed', { callId: state.callId, epoch: state.epoch, result: write.result });
  if (write.result === 'overtaken') await keepAsEvidence(held, write.state, state.epoch, result);
}

async function keepAsEvidence(
  held: HeldCall,
  now: CallState,
  epoch: number,
  result: ReturnType<typeof sealResult>,
): Promise<void> {
  const { outcome, effect, content, digest } = result;
  let state = now;
  for (let tries = 0; tries < runtimeLimits.lateEvidenceTries; tries += 1) {
    const write = await held.write(state, {
      type: 'RecordLateResult',
      epoch,
      outcome,
      effect,
      content,
      digest,
    });
    if (write.result !== 'overtaken') return;
    state = write.state;
  }
}

export function toolRequest(
  held: HeldCall,
  state: CallState,
  run: { epoch: number; deadlineMs: number },
): ToolRequest {
  return {
    callId: state.callId,
    tool: held.tool.name,
    args: held.args.args,
    idempotencyKey: state.staged.data.idempotencyKey,
    ...run,
  };
}

/** Core NATS, lossy: whoever misses it polls (protocol 6). */
export function noticeOf(held: HeldCall, state: CallState): void {
  const { sessionId, callId, revision } = state;
  if (revision !== 'no_stream') held.ports.bus.notice({ version: 1, sessionId, callId, revision });
}

const stoppedHard = (result: RunResult): boolean =>
  result.status === 'killed' && (result.reason === 'stop' || result.reason === 'watchdog');

/** After a hard stop: does the lease under which the call was claimed still stand? Then its holder settles it (protocol 7). */
async function stillMine(held: HeldCall): Promise<boolean> {
  const { lease } = held.ports;
  while (lease.instance === held.instance && !lease.mayAct())
    await held.ports.clock.sleep(runtimeLimits.retryLongestMs / 4);
  return lease.instance === held.instance;
}
