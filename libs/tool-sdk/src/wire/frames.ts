import { limits } from '../limits';

/** A message between executor, host and tool process. The host passes payloads on without reading them. */
export interface Frame {
  readonly kind: number;
  /** Number of the call that it is about; 0 for none. */
  readonly call: number;
  /** What the kind says: a duration, a moment, a status. */
  readonly number: number;
  readonly payload: Buffer;
}

export class BrokenFrame extends Error {
  override readonly name = 'BrokenFrame';
}

const lengthBytes = 4;
const headBytes = 13;

/** Length of the rest (u32), kind (u8), call (u32), number (f64), payload. */
export function encodeFrame(frame: Omit<Frame, 'payload'> & { readonly payload?: Buffer }): Buffer {
  const payload = frame.payload ?? Buffer.alloc(0);
  const bytes = Buffer.allocUnsafe(lengthBytes + headBytes + payload.length);
  bytes.writeUInt32BE(headBytes + payload.length, 0);
  bytes.writeUInt8(frame.kind, lengthBytes);
  bytes.writeUInt32BE(frame.call, lengthBytes + 1);
  bytes.writeDoubleBE(frame.number, lengthBytes + 5);
  payload.copy(bytes, lengthBytes + headBytes);
  return bytes;
}

/** Cuts a stream of bytes into frames. Throws `BrokenFrame` on a length that no peer of ours sends. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;

  constructor(private readonly onFrame: (frame: Frame) => void) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.held += chunk.length;
    for (let rest = this.rest(); rest !== undefined && this.held >= lengthBytes + rest; rest = this.rest()) {
      const bytes = this.take(lengthBytes + rest);
      this.onFrame({
        kind: bytes.readUInt8(lengthBytes),
        call: bytes.readUInt32BE(lengthBytes + 1),
        number: bytes.readDoubleBE(lengthBytes + 5),
        payload: bytes.subarray(lengthBytes + headBytes),
      });
    }
  }

  private rest(): number | undefined {
    if (this.held < lengthBytes) return undefined;
    let first = this.chunks[0] ?? Buffer.alloc(0);
    if (first.length < lengthBytes) {
      first = Buffer.concat(this.chunks);
      this.chunks = [first];
    }
    const rest = first.readUInt32BE(0);
    if (rest < headBytes || rest > limits.frameBytes) throw new BrokenFrame(`a frame of ${rest} bytes`);
    return rest;
  }

  private take(length: number): Buffer {
    const first = this.chunks[0] ?? Buffer.alloc(0);
    const all = first.length >= length ? first : Buffer.concat(this.chunks);
    const left = all.subarray(length);
    this.chunks = first.length >= length ? this.chunks.slice(1) : [];
    if (left.length > 0) this.chunks.unshift(left);
    this.held -= length;
    return all.subarray(0, length);
  }
}
