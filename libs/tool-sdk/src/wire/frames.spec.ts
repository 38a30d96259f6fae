import fc from 'fast-check';
import { encodeFrame, type Frame, FrameReader } from './frames';

const frameArbitrary = fc.record({
  kind: fc.integer({ min: 0, max: 255 }),
  call: fc.integer({ min: 0, max: 0xffff_ffff }),
  number: fc.double(),
  payload: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
});

describe('frames', () => {
  it('come out as they went in, however the bytes between are cut', () => {
    fc.assert(
      fc.property(fc.array(frameArbitrary), fc.array(fc.integer({ min: 1, max: 50 })), (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(encodeFrame));
        const read: Frame[] = [];
        const reader = new FrameReader((frame) => read.push(frame));
        let at = 0;
        for (let index = 0; at < bytes.length; index += 1) {
          const size = cuts[index % Math.max(1, cuts.length)] ?? 7;
          reader.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(read).toEqual(frames);
      }),
    );
  });

  it.each([0, 12, 0xffff_ffff])(
    'of a length that nobody of ours sends end the conversation: %d',
    (length) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(length);
      expect(() => new FrameReader(() => {}).push(bytes)).toThrow(/a frame of/);
    },
  );
});
