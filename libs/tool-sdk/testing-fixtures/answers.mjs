// Tools that answer in every way that there is.
import { readlinkSync, readdirSync } from 'node:fs';

class NotApplied extends Error {
  name = 'NotApplied';
}

const cycle = {};
cycle.itself = cycle;

const values = {
  text: () => 'text',
  nothing: () => undefined,
  json: () => ({ a: [1, true, null], left: undefined }),
  bytes: () => new Uint8Array([1, 2, 3]),
  image: () => ({ bytes: new Uint8Array([1, 2, 3]), mediaType: 'image/png' }),
  bigint: () => ({ n: 1n }),
  nan: () => NaN,
  cycle: () => cycle,
  surrogate: () => 'x\ud800y',
  huge: () => 'x'.repeat(40 * 1024 * 1024),
  large: () => 'x'.repeat(12 * 1024 * 1024),
  environment: () => Object.keys(process.env),
  descriptors: () =>
    readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return 'closed';
      }
    }),
  pid: () => process.pid,
  throws: () => {
    throw new TypeError('boom');
  },
  throwsText: () => {
    throw 'boom';
  },
  notApplied: () => {
    throw new NotApplied('nothing done');
  },
};

export const answer = {
  name: 'answer',
  description: 'Answers as told.',
  input: { type: 'object' },
  effect: 'reconcilable',
  run: ({ how }) => values[how](),
  async readback({ how }, ctx) {
    if (how === 'hangs') await new Promise(() => {});
    if (how === 'throws') throw new Error('no idea');
    if (how === 'shape') return { effect: 'perhaps' };
    return { effect: 'applied', evidence: { key: ctx.idempotencyKey }, result: 'as before' };
  },
  check({ how }) {
    if (how === 'refused') return { refuse: 'not like this' };
    if (how === 'throws') throw new Error('no idea');
  },
};

export const pid = { ...answer, name: 'pid', effect: 'read', run: () => process.pid };
