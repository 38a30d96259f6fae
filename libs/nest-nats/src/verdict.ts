import type { DeliveryVerdict } from '@writ/runtime';

export const ack: DeliveryVerdict = { verdict: 'ack' };
export const nak = (delayMs: number): DeliveryVerdict => ({ verdict: 'nak', delayMs });

/** Nest loses a handler's return type: whatever came back is looked at. Throws where it is no verdict. */
export function readVerdict(returned: unknown): DeliveryVerdict {
  if (typeof returned === 'object' && returned !== null && 'verdict' in returned) {
    if (returned.verdict === 'ack') return ack;
    if (returned.verdict === 'nak' && 'delayMs' in returned && typeof returned.delayMs === 'number') {
      return nak(returned.delayMs);
    }
  }
  throw new TypeError('a handler of wakes must return a DeliveryVerdict');
}
