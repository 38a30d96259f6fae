/** From the bytes of a delivery to what becomes of it. The same for every bus; never rejects. */
import type { ConsumeOptions, DeliveryVerdict, Log } from '@writ/runtime';
import { parseWake } from './codec';
import { worthLogging, type Counting } from './counters';
import { MAX_NAK_DELAY_MS, NO_SLOT_DELAY_MS, type BusLimits } from './limits';

/** `term` is for bytes that do not parse, and for nothing else (protocol 6). */
export type DeliveryAnswer = DeliveryVerdict | { readonly verdict: 'term' };

export interface DeliveryContext {
  readonly log: Log;
  readonly counting: Counting;
  readonly limits: BusLimits;
}

export async function answerDelivery(
  bytes: Uint8Array,
  options: ConsumeOptions,
  context: DeliveryContext,
): Promise<DeliveryAnswer> {
  context.counting.add('delivered');
  const wake = parseWake(bytes);
  if (wake === undefined) {
    const total = context.counting.add('malformedWakes');
    if (worthLogging(total)) context.log.warn('wake_malformed', { bytes: bytes.length, total });
    return { verdict: 'term' };
  }
  if (options.free() <= 0) return { verdict: 'nak', delayMs: NO_SLOT_DELAY_MS };
  try {
    const verdict = await options.handle(wake);
    return verdict.verdict === 'ack' ? verdict : { verdict: 'nak', delayMs: boundedDelay(verdict.delayMs) };
  } catch (thrown) {
    context.counting.add('failed');
    const { sessionId, callId } = wake;
    context.log.error('wake_handler_threw', { sessionId, callId, ...whereThrown(thrown) });
    return { verdict: 'nak', delayMs: context.limits.handlerFailedDelayMs };
  }
}

/** A handler's number may be anything; the broker's must be a bounded whole number of milliseconds. */
function boundedDelay(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(Math.round(ms), 0), MAX_NAK_DELAY_MS) : MAX_NAK_DELAY_MS;
}

/** Class and place, not the message: it may quote arguments. */
function whereThrown(thrown: unknown): { error: string; at: string | undefined } {
  if (!(thrown instanceof Error)) return { error: typeof thrown, at: undefined };
  const at = /^\s+at .*$/m.exec(thrown.stack ?? '')?.[0].trim();
  return { error: thrown.name, at };
}
