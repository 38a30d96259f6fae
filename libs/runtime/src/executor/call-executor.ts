import type { PublishedTool, Wake, WritEvent } from '@writ/contracts';
import { callFromStaged, executorNext, type CallState } from '@writ/protocol';
import { argumentsDigest, readArguments } from '../arguments';
import { loadStaged, readStaged } from '../call/load-call';
import type { HolderLease } from '../lease/lease-watch';
import { runtimeLimits } from '../limits';
import type { DeliveryVerdict } from '../ports';
import { HeldCall, type CallExecutorPorts } from './held-call';
import { reconcileCall } from './reconcile-call';
import { runAndCommit } from './run-and-commit';
import { claim, takeOver } from './take-call';

export interface CallExecutorOptions {
  readonly pool: string;
  readonly slots: number;
  readonly tools: ReadonlyMap<string, PublishedTool>;
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
  private stopping = false;

  constructor(
    private readonly ports: CallExecutorPorts,
    private readonly options: CallExecutorOptions,
  ) {}

  /** Slots that no held call takes; what the bus has in hand it subtracts itself. */
  free(): number {
    return this.stopping ? 0 : Math.max(0, this.options.slots - this.held.size);
  }

  /** The verdict comes as soon as the claim is known; the run goes on by itself. */
  async handle(wake: Wake): Promise<DeliveryVerdict> {
    if (this.stopping) return later;
    this.ports.crash.pass('K4');
    const { store } = this.ports;
    const read = await readStaged(store, wake);
    if (read.outcome === 'staged' && this.mayBeUnclaimed(read.staged))
      return this.consider(wake, callFromStaged(read.staged));
    const loaded = read.outcome === 'staged' ? await loadStaged(store, read.staged) : read;
    switch (loaded.outcome) {
      case 'not_yet':
        return { verdict: 'nak', delayMs: runtimeLimits.notYetMs };
      case 'unavailable':
        return later;
      case 'untrue':
        return this.leaveAlone(wake, loaded.problem);
      case 'call':
        return this.consider(wake, loaded.state);
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

  /**
   * An allowed call is claimed as its staged event leaves it, and its own stream is read only where that claim meets a
   * conflict: the expected revision decides, not what was read before (R16). A tool's check is not asked on that guess.
   */
  private mayBeUnclaimed({ data }: WritEvent<'ToolCallStaged'>): boolean {
    const tool = data.tool === null ? undefined : this.options.tools.get(data.tool);
    return data.verdict === 'allowed' && tool?.hasCheck === false;
  }

  private leaveAlone(wake: Wake, problem: string): DeliveryVerdict {
    this.ports.log.warn('call_left_alone', { callId: wake.callId, problem });
    return ack;
  }

  private async consider(wake: Wake, state: CallState): Promise<DeliveryVerdict> {
    const { data } = state.staged;
    const tool = data.tool === null ? undefined : this.options.tools.get(data.tool);
    if (tool === undefined || this.held.has(state.callId)) return ack;
    const read = readArguments(data.rawArguments);
    if (!read.ok) return this.leaveAlone(wake, 'its arguments do not read as they did when it was staged');
    const { args } = read;
    const digest = argumentsDigest({ tool: tool.name, definitionDigest: data.definitionDigest ?? '', args });
    if (digest !== data.argsDigest) return this.leaveAlone(wake, 'its digest does not fit its arguments');
    if (!(await this.ports.lease.hold())) return later;
    const { instance } = this.ports.lease;
    if (instance !== undefined && !this.held.has(state.callId)) {
      const held = new HeldCall({
        ports: this.ports,
        tool,
        args,
        instance,
        wake,
        mayStart: () => !this.stopping,
      });
      this.held.set(state.callId, held);
      return this.take(held, state);
    }
    this.ports.lease.release();
    return instance === undefined ? later : ack;
  }

  /** Under a hold of the lease: takes the call if it is there to be taken, and lets go once nothing is left to do. */
  private async take(held: HeldCall, state: CallState): Promise<DeliveryVerdict> {
    let work: Promise<void> | undefined;
    try {
      const taken = await this.taken(held, state);
      if (taken === undefined) return ack;
      work = this.carryOut(held, taken);
      return ack;
    } finally {
      if (work === undefined) this.letGo(state.callId);
    }
  }

  private async taken(held: HeldCall, state: CallState): Promise<CallState | undefined> {
    const { instance, tool } = held;
    const { pool } = this.options;
    const lease: HolderLease =
      'holder' in state && state.holder !== instance
        ? await this.ports.watch.statusNow(state.holder)
        : { status: 'unknown' };
    const { definitionDigest, hasReadback } = tool;
    const next = executorNext(state, { instance, pool, definitionDigest, hasReadback }, lease.status);
    switch (next.do) {
      case 'claim': {
        const claimed = await claim(held, state, pool);
        if (claimed === undefined || 'claimed' in claimed) return claimed?.claimed;
        const { overtaken } = claimed;
        return wasUnread(state) && !wasUnread(overtaken) ? this.taken(held, overtaken) : undefined;
      }
      case 'take_over':
        return takeOver(held, state, lease);
      case 'reconcile':
        return state;
      case 'nothing':
        return undefined;
    }
  }

  private carryOut(held: HeldCall, taken: CallState): Promise<void> {
    const { callId } = taken;
    const run = taken.status === 'running' ? runAndCommit(held, taken) : reconcileCall(held, taken);
    const work = run
      .catch((error: unknown) => {
        const problem = error instanceof Error ? (error.stack ?? error.message) : 'unknown';
        this.ports.log.error('call_failed', { callId, problem });
      })
      .finally(() => {
        this.running.delete(work);
        this.letGo(callId);
      });
    this.running.add(work);
    return work;
  }

  private letGo(callId: string): void {
    this.held.delete(callId);
    this.ports.lease.release();
    if (this.held.size === 0) this.ports.runner.rest();
  }
}

/** Known by its staged event alone. */
const wasUnread = (state: CallState): boolean => state.revision === 'no_stream';
