import type { DeliveryVerdict } from '@writ/runtime';
import type { Wake } from '@writ/contracts';
import type { ObservedBus } from '../observed-bus';
import type { RecordedLog } from './test-ports';

/** A broker and its clients, as the conformance suite sees them. */
export interface BusWorld {
  readonly log: RecordedLog;
  /** Another process's bus; closed by `dispose`. Deliveries are given again after `ACK_WAIT_MS`. */
  connect(): ObservedBus;
  stopBroker(): Promise<void>;
  startBroker(storage: 'kept' | 'empty'): Promise<void>;
  /** Bytes of any kind, as some other client might send them. */
  publishBytes(subject: string, bytes: Uint8Array): Promise<void>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Polls with a bound; rejects with the words when it does not come true. */
  eventually(words: string, check: () => boolean | Promise<boolean>): Promise<void>;
  /** Timers and sockets that keep the process alive. */
  openHandles(): number;
  dispose(): Promise<void>;
}

export const ACK_WAIT_MS = 1_000;
/** How long `eventually` waits at most. */
export const PATIENCE_MS = 15_000;

export const POOL = 'default';
export const SESSION = 'session-1';

export const wakeOf = (callId: string): Wake => ({
  version: 1,
  sessionId: SESSION,
  callId,
  stagedRevision: 3,
});

export interface WorkerOptions {
  readonly slots?: () => number;
  /** `nth` counts the deliveries of this call to this worker, from 1 on. */
  readonly answer?: (wake: Wake, nth: number) => DeliveryVerdict | Promise<DeliveryVerdict>;
}

export interface Worker {
  /** callIds in the order of their deliveries. */
  readonly seen: string[];
  drain(timeoutMs: number): Promise<void>;
}

/** Takes wakes of the pool; acknowledges unless told otherwise. */
export function startWorker(bus: ObservedBus, options: WorkerOptions = {}): Worker {
  const seen: string[] = [];
  const consumption = bus.consumeExecute(POOL, {
    free: options.slots ?? (() => 4),
    handle: async (wake) => {
      seen.push(wake.callId);
      const nth = seen.filter((callId) => callId === wake.callId).length;
      return options.answer?.(wake, nth) ?? { verdict: 'ack' };
    },
  });
  return { seen, drain: (timeoutMs) => consumption.drain(timeoutMs) };
}

export const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** A handler's answer that comes when the case says so. */
export function manualAnswer(): {
  answer: (verdict: DeliveryVerdict) => void;
  promise: Promise<DeliveryVerdict>;
} {
  let answer: (verdict: DeliveryVerdict) => void = () => undefined;
  const promise = new Promise<DeliveryVerdict>((resolve) => (answer = resolve));
  return { answer: (verdict) => answer(verdict), promise };
}
