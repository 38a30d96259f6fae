import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolContext } from '../definition/tool';
import { toolContext } from '../testing/tool-context';
import { writeFileTool } from './write-file';
import { type Attempt, WriteLog } from './write-log';

let outside: string;
let root: string;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'writ-files-'));
  root = join(outside, 'root');
  mkdirSync(join(root, 'folder'), { recursive: true });
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

const write = async (path: string, content: string, more: Partial<ToolContext> = {}): Promise<unknown> =>
  writeFileTool(root).run({ path, content }, toolContext(more));
const readBack = async (more: Partial<ToolContext> = {}): Promise<unknown> =>
  writeFileTool(root).readback?.({}, toolContext(more));
const content = (path: string): string => readFileSync(join(root, path), 'utf8');

/** An attempt that is on record and stands still right before it lands. */
async function frozenAttempt(
  epoch: number,
  key = 'key',
): Promise<{ readonly log: WriteLog; readonly attempt: Attempt }> {
  const log = await WriteLog.open(root, key);
  const laid = await log.layContent(Buffer.from('frozen'), undefined);
  const attempt = {
    kind: 'attempt' as const,
    epoch,
    content: laid,
    path: 'a.txt',
    sha256: 'sha256:',
    bytes: 6,
  };
  expect(await log.add((await log.records()).length, attempt)).toBe(true);
  return { log, attempt };
}

describe('write_file', () => {
  it('writes a file as a whole, making the folders on the way, and leaves nothing beside it', async () => {
    expect(await write('new/deep/a.txt', 'ä')).toEqual({
      path: 'new/deep/a.txt',
      bytes: 2,
      sha256: `sha256:${createHash('sha256').update('ä').digest('hex')}`,
    });
    expect(content('new/deep/a.txt')).toBe('ä');
    expect(readdirSync(join(root, 'new/deep'))).toEqual(['a.txt']);
  });

  it('replaces a file and keeps its mode', async () => {
    writeFileSync(join(root, 'run.sh'), 'old');
    chmodSync(join(root, 'run.sh'), 0o755);
    await write('run.sh', 'new');
    expect(content('run.sh')).toBe('new');
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o755);
  });

  it('writes where a link leads, if that is inside its root', async () => {
    writeFileSync(join(root, 'folder', 'b.txt'), 'old');
    symlinkSync('folder/b.txt', join(root, 'link'));
    await write('link', 'new');
    expect(content('folder/b.txt')).toBe('new');
  });

  it.each([
    ['../a.txt', null],
    ['/etc/a.txt', null],
    ['link/a.txt', '..'],
    ['link', '../a.txt'],
    ['link', 'nowhere'],
    ['.writ/writes/a.txt', null],
    ['.WRIT/a.txt', null],
    ['folder/x\0', null],
  ])('refuses to write out of its root, before the call and in it: %s -> %s', async (path, target) => {
    if (target !== null) symlinkSync(target, join(root, 'link'));
    writeFileSync(join(outside, 'a.txt'), 'outside');
    expect(await writeFileTool(root).check?.({ path, content: '' }, toolContext())).toEqual({
      refuse: expect.any(String),
    });
    await expect(write(path, 'x')).rejects.toMatchObject({ name: 'NotApplied' });
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('outside');
  });

  it.each(['folder', 'fifo', '.', 'file/x'])('refuses to replace what is no file: %s', async (path) => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    writeFileSync(join(root, 'file'), '');
    await expect(write(path, 'x')).rejects.toMatchObject({ name: 'NotApplied' });
    // A failure that has done nothing stays without effect.
    expect(await readBack({ epoch: 2 })).toMatchObject({ effect: 'not_applied' });
  });

  it('refuses text that is no Unicode or too long', async () => {
    const check = (text: string): unknown =>
      writeFileTool(root).check?.({ path: 'a', content: text }, toolContext());
    expect(await check('\ud800')).toEqual({ refuse: expect.stringContaining('Unicode') });
    expect(await check('x'.repeat(4 * 1024 * 1024 + 1))).toEqual({
      refuse: expect.stringContaining('bytes'),
    });
    expect(await check('fine')).toBeUndefined();
  });
});

describe('the readback of write_file', () => {
  it('finds its own write, whatever has become of the file since', async () => {
    const written = await write('a.txt', 'mine');
    expect(await readBack({ epoch: 2 })).toMatchObject({
      effect: 'applied',
      evidence: { now: 'equal', epoch: 1 },
      result: written,
    });
    writeFileSync(join(root, 'a.txt'), 'theirs');
    expect(await readBack({ epoch: 3 })).toMatchObject({ effect: 'applied', evidence: { now: 'different' } });
    rmSync(join(root, 'a.txt'));
    expect(await readBack({ epoch: 4 })).toMatchObject({
      effect: 'applied',
      evidence: { now: 'not_readable' },
    });
  });

  it('is not taken in by an equal file of somebody else', async () => {
    await write('a.txt', 'equal', { idempotencyKey: 'other' });
    expect(await readBack({ epoch: 2 })).toMatchObject({ effect: 'not_applied' });
  });

  it('keeps an attempt that has not landed from ever landing, and only then says not applied', async () => {
    const { log, attempt } = await frozenAttempt(1);
    expect(await readBack({ epoch: 2 })).toEqual({
      effect: 'not_applied',
      evidence: { attemptsRevoked: 1, closedBelowEpoch: 2 },
    });
    expect(await log.land(attempt, join(root, 'a.txt'))).toBe(false);
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
    // Asked again, after its first answer was lost, it says the same.
    expect(await readBack({ epoch: 3 })).toMatchObject({ effect: 'not_applied' });
    await log.close();
  });

  it('finds an attempt that landed and was never able to say so', async () => {
    const { log, attempt } = await frozenAttempt(1);
    expect(await log.land(attempt, join(root, 'a.txt'))).toBe(true);
    await log.close();
    expect(await readBack({ epoch: 2 })).toMatchObject({ effect: 'applied', evidence: { epoch: 1 } });
  });

  it('shuts out an attempt that had not even begun', async () => {
    expect(await readBack({ epoch: 5 })).toMatchObject({ effect: 'not_applied' });
    await expect(write('a.txt', 'late', { epoch: 1 })).rejects.toMatchObject({ name: 'NotApplied' });
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
    await write('a.txt', 'rerun', { epoch: 6 });
    expect(content('a.txt')).toBe('rerun');
  });

  it('of an older owner neither answers nor stops a newer one', async () => {
    const { log, attempt } = await frozenAttempt(7);
    expect(await readBack({ epoch: 3 })).toMatchObject({ effect: 'unknown' });
    await expect(write('a.txt', 'old', { epoch: 3 })).rejects.toMatchObject({ name: 'NotApplied' });
    expect(await log.land(attempt, join(root, 'a.txt'))).toBe(true);
    await log.close();
  });
});

describe('the fence of write_file', () => {
  it('lets one key have its effect once', async () => {
    const first = await write('a.txt', 'mine');
    writeFileSync(join(root, 'a.txt'), 'theirs');
    expect(await write('a.txt', 'mine', { epoch: 2 })).toEqual(first);
    expect(content('a.txt')).toBe('theirs');
  });

  it('lets two attempts at one moment have one effect', async () => {
    for (let round = 0; round < 20; round += 1) {
      const key = { idempotencyKey: `key-${round}` };
      const results = await Promise.allSettled([
        write(`${round}.txt`, 'x', { ...key, epoch: 1 }),
        write(`${round}.txt`, 'x', { ...key, epoch: 2 }),
        readBack({ ...key, epoch: 3 }),
      ]);
      const last = results[2];
      const effect: unknown =
        last.status === 'fulfilled' ? Reflect.get(Object(last.value), 'effect') : undefined;
      expect(existsSync(join(root, `${round}.txt`))).toBe(effect === 'applied');
      expect(['applied', 'not_applied']).toContain(effect);
    }
  });
});
