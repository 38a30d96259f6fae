/** A tool whose effect nobody can take back or look up: a person is asked first, and doubt stays doubt. */
import { ledger } from './ledger.mjs';

const sent = ledger('letters');

export const sendLetter = {
  name: 'send_letter',
  description: 'Sends a letter. A letter that is sent cannot be called back.',
  input: {
    type: 'object',
    properties: { to: { type: 'string', minLength: 1 }, text: { type: 'string', minLength: 1 } },
    required: ['to', 'text'],
    additionalProperties: false,
  },
  effect: 'irreversible',
  timeoutMs: 10_000,
  async run(args, ctx) {
    sent.append({ key: ctx.idempotencyKey, ...args });
    return `Sent to ${args.to}.`;
  },
};
