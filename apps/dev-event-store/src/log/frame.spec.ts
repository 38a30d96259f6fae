import { FRAME_HEADER_BYTES, openFrame, sealFrame } from './frame';

const binding = { storeSeed: 77, offset: 4096 };

function sealed(payload: string, syncedThrough = 4000): Buffer {
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + Buffer.byteLength(payload));
  frame.write(payload, FRAME_HEADER_BYTES);
  sealFrame(frame, binding, syncedThrough);
  return frame;
}

describe('a record of the log', () => {
  it('gives back its payload and how far the log was synced', () => {
    const frame = openFrame(Buffer.concat([sealed('hello'), Buffer.from('what follows')]), binding);

    expect(frame?.payload.toString()).toBe('hello');
    expect(frame).toMatchObject({ syncedThrough: 4000, size: FRAME_HEADER_BYTES + 5 });
  });

  it('is refused when any of its bits is turned over', () => {
    const whole = sealed('hello');
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect({ bit, frame: openFrame(damaged, binding) }).toEqual({ bit, frame: undefined });
    }
  });

  it('is refused when it is cut anywhere', () => {
    const whole = sealed('hello');
    for (let length = 0; length < whole.length; length++) {
      expect(openFrame(whole.subarray(0, length), binding)).toBeUndefined();
    }
  });

  it('is refused at another offset and in another store', () => {
    const whole = sealed('hello');

    expect(openFrame(whole, { ...binding, offset: 4097 })).toBeUndefined();
    expect(openFrame(whole, { ...binding, storeSeed: 78 })).toBeUndefined();
  });
});
