import fc from 'fast-check';
import { stored } from '../testing/engine';
import { decodeEvent, encodedSize, encodeEvent } from './event-codec';

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

const anyEvent = fc.record({
  id: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((array) => Buffer.from(array)),
  stream: fc.string({ unit: 'binary', minLength: 1 }),
  type: fc.string({ unit: 'binary', minLength: 1 }),
  json: fc.boolean(),
  tombstone: fc.boolean(),
  revision: fc.integer({ min: 0, max: 2 ** 47 }),
  createdMs: fc.integer({ min: 0, max: 2 ** 47 }),
  data: bytes,
  metadata: bytes,
});

describe('an event in the log', () => {
  it('reads back as it was written, wherever it stands', () => {
    fc.assert(
      fc.property(anyEvent, fc.nat(50), (event, start) => {
        const target = Buffer.alloc(start + encodedSize(event));

        expect(encodeEvent(event, target, start)).toBe(target.length);
        expect(decodeEvent(target, start)).toEqual({ event, size: target.length - start });
      }),
    );
  });

  it('is not read from bytes whose lengths contradict each other', () => {
    const event = stored();
    const target = Buffer.alloc(encodedSize(event));
    encodeEvent(event, target, 0);
    target.writeUInt32LE(target.length - 1, 0);

    expect(() => decodeEvent(target, 0)).toThrow('no event starts at byte 0');
  });
});
