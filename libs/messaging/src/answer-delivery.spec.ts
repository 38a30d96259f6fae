import type { DeliveryVerdict } from '@writ/runtime';
import { answerDelivery } from './answer-delivery';
import { encodeWake } from './codec';
import { createCounting } from './counters';
import { defaultBusLimits, MAX_NAK_DELAY_MS, NO_SLOT_DELAY_MS } from './limits';
import { recordLog } from './testing';
import { wakeOf } from './testing/bus-world';

const bytes = encodeWake(wakeOf('call-1')) ?? new Uint8Array();

function answer(handle: () => Promise<DeliveryVerdict>, free = 1) {
  const context = { log: recordLog(), counting: createCounting(), limits: defaultBusLimits };
  return answerDelivery(bytes, { free: () => free, handle }, context);
}

describe('the answer to a delivery', () => {
  it('is given back for a moment, unseen by the handler, when the last slot has gone since the pull', async () => {
    const handle = jest.fn();
    expect(await answer(handle, 0)).toEqual({ verdict: 'nak', delayMs: NO_SLOT_DELAY_MS });
    expect(handle).not.toHaveBeenCalled();
  });

  it.each([
    [-5, 0],
    [12.4, 12],
    [Number.POSITIVE_INFINITY, MAX_NAK_DELAY_MS],
    [Number.NaN, MAX_NAK_DELAY_MS],
    [MAX_NAK_DELAY_MS * 2, MAX_NAK_DELAY_MS],
  ])('bounds a delay of %d ms to %d', async (asked, given) => {
    expect(await answer(async () => ({ verdict: 'nak', delayMs: asked }))).toEqual({
      verdict: 'nak',
      delayMs: given,
    });
  });

  it('comes back as a verdict even where what was thrown is no error', async () => {
    const thrown = await answer(() => Promise.reject('a string'));
    expect(thrown).toEqual({ verdict: 'nak', delayMs: defaultBusLimits.handlerFailedDelayMs });
  });
});
