/** A tool that has its effect at once and answers too late: the call runs out of time, and the readback says what came of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ledger } from '../tools/ledger.mjs';

const posted = ledger('invoices');

export const postInvoice = {
  name: 'post_invoice',
  description: 'Posts an invoice to a customer.',
  input: {
    type: 'object',
    properties: {
      customer: { type: 'string', minLength: 1 },
      cents: { type: 'integer', exclusiveMinimum: 0 },
    },
    required: ['customer', 'cents'],
    additionalProperties: false,
  },
  effect: 'reconcilable',
  timeoutMs: 1_500,
  async run(args, ctx) {
    posted.append({ key: ctx.idempotencyKey, ...args });
    await sleep(60_000);
    return 'never said';
  },
  async readback(_args, ctx) {
    const found = posted.entries().filter(({ key }) => key === ctx.idempotencyKey);
    return {
      effect: found.length > 0 ? 'applied' : 'not_applied',
      evidence: { entriesUnderThisKey: found.length },
    };
  },
};
