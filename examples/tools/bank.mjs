/** A bank in a file: a tool that only looks, and one whose effect can be looked up by its idempotency key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ledger } from './ledger.mjs';

const openingCents = 100_000;
const transfers = ledger('bank');
const account = { type: 'string', pattern: '^[a-z]{1,20}$' };

export const readBalance = {
  name: 'read_balance',
  description: 'Reads the balance of one account, in cents.',
  input: {
    type: 'object',
    properties: { account },
    required: ['account'],
    additionalProperties: false,
  },
  effect: 'read',
  concurrency: { reads: ['/account'] },
  timeoutMs: 10_000,
  async run(args) {
    return { account: args.account, cents: balanceOf(args.account) };
  },
};

export const transferFunds = {
  name: 'transfer_funds',
  description: 'Moves money between two accounts, in cents.',
  input: {
    type: 'object',
    properties: { from: account, to: account, cents: { type: 'integer', exclusiveMinimum: 0 } },
    required: ['from', 'to', 'cents'],
    additionalProperties: false,
  },
  effect: 'reconcilable',
  concurrency: { writes: ['/from', '/to'] },
  timeoutMs: 30_000,
  async check(args) {
    const cents = balanceOf(args.from);
    if (args.cents > cents) return { refuse: `${args.from} has ${cents} cents only` };
  },
  async run(args, ctx) {
    transfers.append({ key: ctx.idempotencyKey, ...args });
    // The bank takes its time to answer after the money has moved: the moment in which a crash leaves doubt.
    await sleep(Number(process.env.EXAMPLE_BANK_ANSWER_MS ?? 0), undefined, { signal: ctx.signal });
    return receipt(args);
  },
  async readback(args, ctx) {
    const found = transfers.entries().filter(({ key }) => key === ctx.idempotencyKey);
    const evidence = { entriesUnderThisKey: found.length };
    return found.length > 0
      ? { effect: 'applied', evidence, result: receipt(args) }
      : { effect: 'not_applied', evidence };
  },
};

function receipt({ from, to, cents }) {
  return { moved: { from, to, cents }, balances: { [from]: balanceOf(from), [to]: balanceOf(to) } };
}

function balanceOf(name) {
  return transfers
    .entries()
    .reduce(
      (sum, { from, to, cents }) => sum + (to === name ? cents : 0) - (from === name ? cents : 0),
      openingCents,
    );
}
