import { decodeHeader, encodeHeader, FORMAT_VERSION } from './header';

const header = { storeId: Buffer.alloc(16, 7), createdMs: 1_700_000_000_000 };

describe('the header of a log', () => {
  it('gives back what was written', () => {
    expect(decodeHeader(encodeHeader(header))).toEqual({ kind: 'ok', header });
  });

  it('names another format version even if nothing else of it can be read', () => {
    const bytes = encodeHeader(header).subarray(0, 20);
    bytes.writeUInt32LE(FORMAT_VERSION + 1, 12);

    expect(decodeHeader(bytes)).toEqual({ kind: 'other_version', version: FORMAT_VERSION + 1 });
  });

  it('tells a damaged header from a file that never was a log', () => {
    const damaged = encodeHeader(header);
    damaged.writeUInt8(8, 20);

    expect(decodeHeader(damaged).kind).toBe('damaged');
    expect(decodeHeader(encodeHeader(header).subarray(0, 63)).kind).toBe('damaged');
    expect(decodeHeader(Buffer.from('a text file of somebody')).kind).toBe('not_a_log');
    expect(decodeHeader(Buffer.alloc(0)).kind).toBe('not_a_log');
  });
});
