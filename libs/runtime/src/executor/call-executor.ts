import { streamPrefixes, type PublishedTool, type Wake } from '@writ/contracts';
import { executorNext, type CallState } from '@writ/protocol';
import { loadCall } from '../call/load-call';
import { writeCall, type CallWrite, type CallWriterPorts, type WriteOptions } from '../call/call-writer';
import type { LeaseKeeper } from '../lease/lease-keeper';
import type { HolderLease, LeaseWatch } from '../lease/lease-watch';
import { runtimeLimits } from '../limits';
import type { Bus, DeliveryVerdict, ToolRunner } from '../ports';
import { argumentsDigest, readArguments } from '../arguments';
import { checkCall } from './check-call';
import { runAndCommit } from './run-and-commit';
import { reconcileCall } from './reconcile-call';

export interface CallExecutorPorts extends CallWriterPorts {
  readonly bus: Bus;
  readonly lease: LeaseKeeper;
  readonly watch: LeaseWatch;
  readonly runner: ToolRunner;
}

export interface CallExecutorOptions {
  readonly pool: string;
  readonly slots: number;
  readonly tools: ReadonlyMap<string, PublishedTool>;
}

/** A call that this executor holds, from its claim on. */
export interface HeldCall {
  readonly ports: CallExecutorPorts;
  readonly tool: PublishedTool;
  readonly args: ReturnType<typeof readArguments> & { ok: true };
  readonly instance: string;
  readonly write: (
    state: CallState,
    command: Parameters<typeof writeCall>[2],
    extra?: Partial<WriteOptions>,
  ) => Promise<CallWrite>;
  /** Set while the tool runs, so that a cancel reaches it. */
  running?: { kill(reason: 'round_deadline' | 'interrupt'): void };
}

const ack: DeliveryVerdict = { verdict: 'ack' };
const later: DeliveryVerdict = { verdict: 'nak', delayMs: runtimeLimits.laterMs };

/**
 * Verifies, claims, runs and commits. A delivery only says where to look: what may run is read from the store (R1), who
 * runs it is decided by the claim's expected revision (R16), and a delivery is acked once that claim is acknowledged.
 */
export class CallExecutor {
  private readonly held = new Map<string, HeldCall>();
  private readonly running = new Set<Promise<void>>();
  private taken = 0;
  private stopping = false;

  constructor(
    private readonly ports: CallExecutorPorts,
    private readonly options: CallExecutorOptions,
  ) {}

  free(): number {
    return this.stopping ? 0 : Math.max(0, this.options.slots - this.taken);
  }

  /** The verdict comes as soon as the claim is known; the run goes on by itself. */
  async handle(wake: Wake): Promise<DeliveryVerdict> {
    if (this.stopping) return later;
    this.ports.crash.pass('K4');
    this.taken += 1;
    try {
      return await this.consider(wake);
    } finally {
      this.taken -= 1;
    }
  }

  cancel(callId: string, reason: 'round_deadline' | 'interrupt'): void {
    this.held.get(callId)?.running?.kill(reason);
  }

  /** No new claims; what runs may end by itself for a while, then is killed and settled; nothing known is left unsaid. */
  async stop(): Promise<void> {
    this.stopping = true;
    const ended = Promise.all(this.running);
    await Promise.race([ended, this.ports.clock.sleep(runtimeLimits.drainToolsMs)]);
    await this.ports.runner.killAll('stop');
    await ended;
  }

  private async consider(wake: Wake): Promise<DeliveryVerdict> {
    const { store, log, watch, lease } = this.ports;
    const loaded = await loadCall(store, wake);
    if (loaded.outcome === 'not_yet') return { verdict: 'nak', delayMs: runtimeLimits.notYetMs };
    if (loaded.outcome === 'unavailable') return later;
    if (loaded.outcome === 'untrue') {
      log.warn('call_left_alone', { callId: wake.callId, problem: loaded.problem });
      return ack;
    }
    const { state } = loaded;
    const { staged } = state;
    const tool = staged.data.tool === null ? undefined : this.options.tools.get(staged.data.tool);
    const args = readArguments(staged.data.rawArguments);
    if (tool === undefined || !args.ok || this.held.has(state.callId)) return ack;
    const fits =
      staged.data.argsDigest ===
      argumentsDigest({
        tool: tool.name,
        definitionDigest: staged.data.definitionDigest ?? '',
        args: args.args,
      });
    if (!fits) {
      log.error('call_left_alone', {
        callId: state.callId,
        problem: 'its digest does not fit its arguments',
      });
      return ack;
    }
    if (!(await lease.hold())) return later;
    const instance = lease.instance;
    const holder: HolderLease =
      'holder' in state && state.holder !== instance
        ? await watch.statusNow(state.holder)
        : { status: 'unknown' };
    const next = executorNext(
      state,
      { instance: instance ?? '', pool: this.options.pool, definitionDigest: tool.definitionDigest },
      holder.status,
    );
    if (instance === undefined || next.do === 'nothing') {
      lease.release();
      return ack;
    }
    const held = this.hold({ tool, args, instance, state, wake });
    return this.begin(held, state, next.do, holder);
  }

  private hold(given: {
    tool: PublishedTool;
    args: HeldCall['args'];
    instance: string;
    state: CallState;
    wake: Wake;
  }): HeldCall {
    const { state, instance } = given;
    const held: HeldCall = {
      ports: this.ports,
      tool: given.tool,
      args: given.args,
      instance,
      write: (from, command, extra) =>
        writeCall(this.ports, from, command, {
          context: {
            actor: { service: 'tool-executor', instance, ...('epoch' in from ? { epoch: from.epoch } : {}) },
            correlationId: state.sessionId,
            causationId: state.staged.id,
            ...(given.wake.traceparent === undefined ? {} : { traceparent: given.wake.traceparent }),
          },
          patience: 'until_known',
          ...extra,
        }),
    };
    this.held.set(state.callId, held);
    this.taken += 1;
    return held;
  }

  private async begin(
    held: HeldCall,
    state: CallState,
    how: 'claim' | 'take_over' | 'reconcile',
    holder: HolderLease,
  ): Promise<DeliveryVerdict> {
    const taken = await this.takeCall(held, state, how, holder).catch((error: unknown) => {
      this.letGo(state.callId);
      throw error;
    });
    if (taken === undefined) {
      this.letGo(state.callId);
      return ack;
    }
    const work = (taken.status === 'running' ? runAndCommit(held, taken) : reconcileCall(held, taken))
      .catch((error: unknown) =>
        this.ports.log.error('call_failed', {
          callId: state.callId,
          problem: error instanceof Error ? error.message : 'unknown',
        }),
      )
      .finally(() => {
        this.running.delete(work);
        this.letGo(state.callId);
      });
    this.running.add(work);
    return ack;
  }

  /** The claim or takeover; undefined where another has the call or it must not run. */
  private async takeCall(
    held: HeldCall,
    state: CallState,
    how: 'claim' | 'take_over' | 'reconcile',
    holder: HolderLease,
  ): Promise<CallState | undefined> {
    if (how === 'reconcile') return state;
    if (how === 'take_over')
      return holder.status === 'ended' ? this.takeOver(held, state, holder.end) : undefined;
    return this.claim(held, state);
  }

  private async claim(held: HeldCall, state: CallState): Promise<CallState | undefined> {
    const { clock, log } = this.ports;
    const { tool, instance } = held;
    if (tool.hasCheck && (await checkCall(held, state)) !== 'passes') return undefined;
    const timeoutMs = state.staged.data.timeoutMs ?? tool.timeoutMs;
    const write = await held.write(
      state,
      {
        type: 'Claim',
        instance,
        sessionId: state.sessionId,
        stagedRevision: state.staged.revision,
        pool: this.options.pool,
        argsDigest: state.staged.data.argsDigest,
        definitionDigest: tool.definitionDigest,
        deadline: new Date(clock.wallMs() + timeoutMs).toISOString(),
      },
      { inFlight: 'K4a' },
    );
    if (write.result !== 'stands' || write.state.status !== 'running') {
      log.info('claim_lost', { callId: state.callId });
      return undefined;
    }
    log.info('call_claimed', {
      callId: state.callId,
      sessionId: state.sessionId,
      instance,
      epoch: write.state.epoch,
      position: write.events.at(-1)?.position,
    });
    return write.state;
  }

  private async takeOver(
    held: HeldCall,
    state: CallState,
    end: { stream: string; revision: number; reason: 'released' | 'gone' | 'silent' },
  ): Promise<CallState | undefined> {
    const { stream, revision, reason } = end;
    const command = {
      type: 'TakeOver' as const,
      instance: held.instance,
      leaseEnded: { stream, revision },
      reason,
      endedInstance: `${stream.slice(streamPrefixes.lease.length)}`.replace(/\.([0-9]+)$/, '#$1'),
    };
    const write = await held.write(state, command, { inFlight: 'H2' });
    if (write.result !== 'stands' || write.state.status !== 'reconciling') return undefined;
    this.ports.log.info('call_taken_over', {
      callId: state.callId,
      instance: held.instance,
      epoch: write.state.epoch,
      holder: reason,
    });
    return write.state;
  }

  private letGo(callId: string): void {
    this.held.delete(callId);
    this.taken -= 1;
    this.ports.lease.release();
    if (this.held.size === 0) this.ports.runner.rest();
  }
}
