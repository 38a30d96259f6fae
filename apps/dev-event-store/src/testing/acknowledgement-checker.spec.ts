import { findViolations } from './acknowledgement-checker';
import { parseTrace } from './strace';

const ID = '00112233-4455-6677-8899-aabbccddeeff';

function hex(bytes: Buffer): string {
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

const inLog = hex(Buffer.from(ID.replaceAll('-', ''), 'hex'));
const onWire = hex(Buffer.from(`....${ID}..`));

const WRITE = `7 pwrite64(21, "${inLog}", 16, 64) = 16`;
const SYNC_ENTERED = '8 fdatasync(21 <unfinished ...>';
const SYNC_RETURNED = '8 <... fdatasync resumed>) = 0';
const SYNC = '8 fdatasync(21) = 0';
const ANSWER = `6 writev(25, [{iov_base="${hex(Buffer.from('head'))}", iov_len=4}, {iov_base="${onWire}", iov_len=42}], 2) = 46`;

function violations(...lines: string[]): string[] {
  return findViolations(parseTrace(lines.join('\n')), [ID]);
}

describe('the proof that nothing is shown before it is safe', () => {
  it('accepts write, sync, answer', () => {
    expect(violations(WRITE, SYNC, ANSWER)).toEqual([]);
    expect(violations(WRITE, SYNC_ENTERED, SYNC_RETURNED, ANSWER)).toEqual([]);
    expect(violations(SYNC, WRITE, SYNC, ANSWER, WRITE, ANSWER)).toEqual([]);
  });

  it.each<[string, string[], RegExp]>([
    ['an answer while the sync runs', [WRITE, SYNC_ENTERED, ANSWER, SYNC_RETURNED], /before the fdatasync/],
    ['an answer before the sync', [WRITE, ANSWER, SYNC], /before the fdatasync/],
    ['an answer before the write', [ANSWER, WRITE, SYNC], /before the fdatasync/],
    ['an answer without a sync', [WRITE, ANSWER], /never synced/],
    ['an answer without a write', [SYNC, ANSWER], /never written/],
    ['a sync that began before the write', [SYNC_ENTERED, WRITE, SYNC_RETURNED, ANSWER], /never synced/],
    ['a sync that failed', [WRITE, '8 fdatasync(21) = -1 EIO (Input/output error)', ANSWER], /never synced/],
    ['a sync of another file', [WRITE, '8 fdatasync(22) = 0', ANSWER], /never synced/],
    ['a sync that the trace does not end', [WRITE, SYNC_ENTERED, ANSWER], /never synced/],
    ['a write that was cut short', [WRITE.replace('= 16', '= 8'), SYNC, ANSWER], /never written/],
    ['no answer', [WRITE, SYNC], /never answered/],
  ])('finds %s', (_title, lines, found) => {
    expect(violations(...lines)).toEqual([expect.stringMatching(found)]);
  });

  it('finds an early answer that is split over two writes, the first of which only came in part', () => {
    const [head, tail] = [`....${ID.slice(0, 9)}`, ID.slice(9)].map((text) => hex(Buffer.from(text)));
    const early = `6 write(25, "${head}${tail}", 40) = 13`;
    const late = `6 write(25, "${tail}", 27) = 27`;

    expect(violations(WRITE, early, SYNC, late)).toHaveLength(1);
    expect(violations(WRITE, SYNC, early, late)).toEqual([]);
  });

  it('does not trust a trace whose buffers are cut', () => {
    expect(() => violations(`7 pwrite64(21, "${inLog}"..., 99, 64) = 99`)).toThrow('raise its -s');
  });
});
