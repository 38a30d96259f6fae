import type { CallState, RunningCall } from '@writ/protocol';
import { runtimeLimits } from '../limits';
import type { RunResult, ToolRequest } from '../ports';
import { askReadback, stillMine } from './ask-readback';
import type { HeldCall } from './held-call';
import { effectIsOpen, resultOfRun, sealResult, type ResultDraft } from './result-of-run';

/** Runs a claimed call and commits the one result of it. */
export async function runAndCommit(held: HeldCall, state: CallState): Promise<void> {
  if (state.status !== 'running') return;
  const { log, crash } = held.ports;
  const { callId, sessionId, epoch, attempt } = state;
  crash.pass('K4b');
  const request = held.request(state, { epoch, deadlineMs: held.timeoutMs(state) });
  log.info('tool_started', { callId, sessionId, tool: held.tool.name, epoch, attempt });
  let result = mayBegin(held, state) ? await runOnce(held, request) : neverRan;
  while (neverBegan(result) && held.mayStart() && isInTime(held, state) && (await stillMine(held))) {
    await held.ports.clock.sleep(runtimeLimits.enterEveryMs);
    log.info('tool_started_again', { callId, epoch });
    result = await runOnce(held, request);
  }
  crash.pass('K5');
  if (wasStopped(result) && !neverBegan(result) && !(await stillMine(held))) {
    log.warn('call_left_to_heirs', { callId, epoch });
    return;
  }
  const asks = held.tool.hasReadback && effectIsOpen(result, held.tool);
  const readback = asks ? await askReadback(held, request) : undefined;
  if (asks && readback === undefined) return;
  await commit(held, state, resultOfRun(result, { tool: held.tool, call: state, readback }));
}

async function runOnce(held: HeldCall, request: ToolRequest): Promise<RunResult> {
  const run = held.ports.runner.run(request);
  held.running = run;
  const result = await run.result;
  held.running = undefined;
  return result;
}

/** Stopped before the tool's code began, its lease having lapsed for instance: that was no run, and it may still be one (R10). */
const neverBegan = (result: RunResult): boolean =>
  result.status === 'killed' && wasStopped(result) && result.neverStarted === true;

/** What is settled where a claim is no order to run any more: `interrupted`, effect none (R10). */
const neverRan: RunResult = { status: 'killed', reason: 'stop', neverStarted: true };

/** A claim may have been unknown for long: meanwhile its time may be over, or its lease, under which heirs may be about to act. */
const mayBegin = (held: HeldCall, state: RunningCall): boolean =>
  isInTime(held, state) && held.ports.lease.instance === held.instance;

const isInTime = (held: HeldCall, { deadline }: RunningCall): boolean =>
  held.ports.clock.wallMs() < Date.parse(deadline);

/** Commits a result under the epoch that produced it. What comes too late is kept as evidence (R8). */
export async function commit(
  held: HeldCall,
  state: CallState & { epoch: number },
  draft: ResultDraft,
): Promise<void> {
  const { log, crash } = held.ports;
  const { callId, sessionId, epoch } = state;
  const result = sealResult(draft);
  const { outcome, effect } = result;
  const write = await held.write(
    state,
    { type: 'CommitResult', instance: held.instance, epoch, result },
    'K6',
  );
  if (write.result === 'stands') {
    crash.pass('K7');
    log.info('call_committed', {
      callId,
      sessionId,
      outcome,
      effect,
      position: write.events.at(-1)?.position,
    });
    held.notice(write.state);
    return;
  }
  log.warn('result_not_committed', { callId, epoch, result: write.result });
  if (write.result === 'overtaken') await keepAsEvidence(held, write.state, { epoch, result });
}

interface Late {
  readonly epoch: number;
  readonly result: ReturnType<typeof sealResult>;
}

/** Appended at the revision read, and again on conflict, since nobody's later event makes evidence less true. */
async function keepAsEvidence(held: HeldCall, now: CallState, { epoch, result }: Late): Promise<void> {
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

const wasStopped = (result: RunResult): boolean =>
  result.status === 'killed' && (result.reason === 'stop' || result.reason === 'watchdog');
