import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyLog, damageLog, logPath, readLogFolder, recordOf } from '../testing/log-files';
import { stored } from '../testing/engine';
import { freshFolder, removeFolder } from '../testing/server-process';

let root: string;
let folder: string;
let storeSeed: number;
/** Bytes of the body of the events that `appendGroups` writes. */
let bodyBytes: number;

beforeEach(() => {
  root = freshFolder();
  folder = join(root, 'data');
  bodyBytes = 10;
  storeSeed = openedLog().storeSeed;
});

afterEach(() => removeFolder(root));

function openedLog(): { storeSeed: number; end: number; cutBytes: number } {
  const { result } = readLogFolder(folder);
  if (!result.ok) throw new Error(result.problem);
  return result.log;
}

function size(): number {
  return statSync(logPath(folder)).size;
}

/** Appends groups of records, each group as one write behind one fdatasync; returns where each record starts. */
function appendGroups(...groups: string[][]): number[] {
  const starts: number[] = [];
  for (const group of groups) {
    const syncedThrough = size();
    for (const type of group) {
      starts.push(size());
      const place = { storeSeed, offset: size(), syncedThrough };
      const event = stored({ type, data: Buffer.alloc(bodyBytes, type) });
      appendFileSync(logPath(folder), recordOf([event], place));
    }
  }
  return starts;
}

function zero(from: number, to: number): void {
  const bytes = readFileSync(logPath(folder));
  writeFileSync(logPath(folder), bytes.fill(0, from, to));
}

function types(): string[] {
  return readLogFolder(folder).records.flatMap((events) => events.map((event) => event.type));
}

describe('opening a log', () => {
  it('creates it with an id of its own in a folder that did not exist', () => {
    const other = join(root, 'a', 'b', 'c');

    expect(readLogFolder(other).result).toMatchObject({ ok: true, log: { cutBytes: 0 } });
    expect(readFileSync(logPath(other)).equals(readFileSync(logPath(folder)))).toBe(false);
  });

  it('hands out every record, in order', () => {
    appendGroups(['a', 'b'], ['c']);

    expect(types()).toEqual(['a', 'b', 'c']);
  });

  it('cuts at the last whole record, wherever the tail is torn', () => {
    const starts = appendGroups(['a'], ['b'], ['c'], ['d']);
    const whole = size();
    const copy = join(root, 'copy');
    for (let cut = starts[1] ?? 0; cut < whole; cut++) {
      rmSync(copy, { recursive: true, force: true });
      copyLog(folder, copy, cut);
      const { result, records } = readLogFolder(copy);
      const end = Math.max(...[...starts, whole].filter((start) => start <= cut));

      expect(result).toMatchObject({ ok: true, log: { end, cutBytes: cut - end } });
      expect(records.length).toBe([...starts, whole].filter((start) => start <= cut).length - 1);
      expect(statSync(logPath(copy)).size).toBe(end);
    }
  });

  it('reads a log that it repaired like any other', () => {
    const [, second] = appendGroups(['a'], ['b']);
    copyLog(folder, join(root, 'whole'));
    writeFileSync(logPath(folder), readFileSync(logPath(folder)).subarray(0, (second ?? 0) + 10));

    expect(openedLog()).toMatchObject({ end: second, cutBytes: 10 });
    appendGroups(['c']);
    expect(types()).toEqual(['a', 'c']);
    expect(openedLog().cutBytes).toBe(0);
  });

  it('refuses damage that has an acknowledged record behind it, at every byte', () => {
    const [first, second] = appendGroups(['a'], ['b'], ['c']);
    const copy = join(root, 'copy');
    for (let offset = first ?? 0; offset < (second ?? 0); offset++) {
      copyLog(folder, copy);
      damageLog(copy, offset);
      const { result } = readLogFolder(copy);

      expect(result.ok ? '' : result.problem).toContain(`the record at byte ${first} cannot be read`);
      expect(statSync(logPath(copy)).size).toBe(size());
    }
  });

  it('refuses a damaged record in a group of which later records are whole', () => {
    const [first] = appendGroups(['a', 'b', 'c']);
    damageLog(folder, (first ?? 0) + 50);

    expect(readLogFolder(folder).result.ok).toBe(false);
  });

  it('cuts a hole that a power loss left in a group nobody was promised', () => {
    bodyBytes = 2000;
    const [, second] = appendGroups(['a'], ['b', 'c', 'd']);
    zero((second ?? 0) + 100, (second ?? 0) + 1500);

    expect(openedLog().end).toBe(second);
    expect(types()).toEqual(['a']);
  });

  it('refuses a hole that has a later group behind it', () => {
    bodyBytes = 2000;
    const [, second] = appendGroups(['a'], ['b', 'c'], ['d']);
    zero((second ?? 0) + 100, (second ?? 0) + 1500);

    expect(readLogFolder(folder).result.ok).toBe(false);
  });

  it('does not take the bytes of a record inside an event for a record', () => {
    appendGroups(['a']);
    const inner = readFileSync(logPath(folder)).subarray(64);
    const place = { storeSeed, offset: size(), syncedThrough: size() };
    const outer = recordOf([stored({ type: 'outer', data: inner })], place);
    appendFileSync(logPath(folder), outer.subarray(0, outer.length - 1));

    expect(openedLog()).toMatchObject({ end: place.offset, cutBytes: outer.length - 1 });
  });

  it.each([
    ['another format version', 12, /format version 0.*start the version of the program that wrote it/],
    ['something that is not a log', 0, /not an event log of this program; start with another --data folder/],
    ['a damaged header', 40, /header cannot be read; restore the folder/],
  ])('refuses %s in one line that says what to do', (_what, offset, problem) => {
    damageLog(folder, offset);
    const { result } = readLogFolder(folder);

    expect(result.ok ? '' : result.problem).toMatch(problem);
    expect(result.ok ? '' : result.problem).not.toContain('\n');
  });
});
