import type { Json, PublishedTool, Wake } from '@writ/contracts';
import type { CallCommand, CallState } from '@writ/protocol';
import { writeCall, type CallWrite, type CallWriterPorts } from '../call/call-writer';
import type { LeaseKeeper } from '../lease/lease-keeper';
import type { LeaseWatch } from '../lease/lease-watch';
import type { Bus, CrashPoint, ToolRequest, ToolRunner } from '../ports';

export interface CallExecutorPorts extends CallWriterPorts {
  readonly bus: Bus;
  readonly lease: LeaseKeeper;
  readonly watch: LeaseWatch;
  readonly runner: ToolRunner;
}

export interface HeldCallOptions {
  readonly ports: CallExecutorPorts;
  readonly tool: PublishedTool;
  readonly args: { readonly [key: string]: Json };
  /** Under whose lease it is held. */
  readonly instance: string;
  readonly wake: Wake;
  /** Whether this executor still starts tools: not once it stops. */
  readonly mayStart: () => boolean;
}

/** A call that this executor holds, from its claim or takeover to its result: what it may ask of tool, store and bus. */
export class HeldCall {
  readonly ports: CallExecutorPorts;
  readonly tool: PublishedTool;
  readonly instance: string;
  /** Set while the tool runs, so that a cancel reaches it. */
  running: { kill(reason: 'round_deadline' | 'interrupt'): void } | undefined;

  constructor(private readonly options: HeldCallOptions) {
    this.ports = options.ports;
    this.tool = options.tool;
    this.instance = options.instance;
  }

  /** Appends to the call's stream and does not rest before the outcome is known (R10). */
  write(state: CallState, command: CallCommand, inFlight?: CrashPoint): Promise<CallWrite> {
    const { traceparent } = this.options.wake;
    const epoch = 'epoch' in state ? { epoch: state.epoch } : {};
    return writeCall(this.ports, state, {
      command,
      context: {
        actor: { service: 'tool-executor', instance: this.instance, ...epoch },
        correlationId: state.sessionId,
        causationId: state.staged.id,
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      patience: 'until_known',
      ...(inFlight === undefined ? {} : { inFlight }),
    });
  }

  /** What the tool is asked with; the key is the call's own, the same in every attempt. */
  request(state: CallState, run: { readonly epoch: number; readonly deadlineMs: number }): ToolRequest {
    const { callId, staged } = state;
    return {
      callId,
      tool: this.tool.name,
      args: this.options.args,
      idempotencyKey: staged.data.idempotencyKey,
      ...run,
    };
  }

  mayStart(): boolean {
    return this.options.mayStart();
  }

  timeoutMs(state: CallState): number {
    return state.staged.data.timeoutMs ?? this.tool.timeoutMs;
  }

  /** Core NATS, lossy: whoever misses it polls (protocol 6). */
  notice({ sessionId, callId, revision }: CallState): void {
    if (revision !== 'no_stream') this.ports.bus.notice({ version: 1, sessionId, callId, revision });
  }
}
