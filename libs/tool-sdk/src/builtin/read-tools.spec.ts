import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolContext } from '../testing/tool-context';
import { listFolderTool, readFileTool } from './read-tools';

let outside: string;
let root: string;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'writ-files-'));
  root = join(outside, 'root');
  mkdirSync(join(root, 'folder'), { recursive: true });
  writeFileSync(join(outside, 'secret'), 'secret');
  writeFileSync(join(root, 'a.txt'), 'ä\n');
  writeFileSync(join(root, 'folder', 'b.txt'), 'b');
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

const read = async (path: string): Promise<unknown> => readFileTool(root).run({ path }, toolContext());
const check = async (path: string): Promise<unknown> => readFileTool(root).check?.({ path }, toolContext());
const list = async (path?: string): Promise<unknown> =>
  listFolderTool(root).run(path === undefined ? {} : { path }, toolContext());

describe('read_file', () => {
  it.each(['a.txt', './folder/../a.txt', 'folder/../a.txt'])('reads inside its root: %s', async (path) => {
    expect(await read(path)).toBe('ä\n');
    expect(await check(path)).toBeUndefined();
  });

  it('takes an absolute path that is inside its root', async () => {
    expect(await read(join(root, 'a.txt'))).toBe('ä\n');
  });

  it('follows links that stay inside', async () => {
    symlinkSync('folder', join(root, 'inner'));
    symlinkSync(join(root, 'a.txt'), join(root, 'absolute'));
    expect(await read('inner/b.txt')).toBe('b');
    expect(await read('absolute')).toBe('ä\n');
  });

  it('works in a root that is itself a link', async () => {
    symlinkSync('root', join(outside, 'link'));
    expect(await readFileTool(join(outside, 'link')).run({ path: 'a.txt' }, toolContext())).toBe('ä\n');
  });

  it.each([
    ['../secret', null],
    ['/etc/passwd', null],
    ['folder/../../secret', null],
    ['link', '../secret'],
    ['link', '/etc/passwd'],
    ['link/secret', '..'],
    ['.writ/writes', null],
    ['link', '.writ'],
    ['', null],
    ['a\0.txt', null],
    ['x'.repeat(5_000), null],
  ])('refuses to leave its root, before the call and in it: %s -> %s', async (path, target) => {
    mkdirSync(join(root, '.writ', 'writes'), { recursive: true });
    if (target !== null) symlinkSync(target, join(root, 'link'));
    expect(await check(path)).toEqual({ refuse: expect.any(String) });
    await expect(read(path)).rejects.toMatchObject({ name: 'NotApplied' });
  });

  it.each([
    ['folder', 'is not a regular file'],
    ['fifo', 'is not a regular file'],
    ['absent', 'does not exist'],
    ['a.txt/x', 'is not a folder'],
    ['latin1', 'is not UTF-8 text'],
    ['big', 'is over 4194304 bytes'],
  ])('refuses what is no text file of its size: %s', async (path, words) => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    writeFileSync(join(root, 'latin1'), Buffer.from([0xe4]));
    writeFileSync(join(root, 'big'), '');
    truncateSync(join(root, 'big'), 4 * 1024 * 1024 + 1);
    await expect(read(path)).rejects.toThrow(words);
  });

  it('gives the bytes as they are, a byte order mark included', async () => {
    writeFileSync(join(root, 'bom'), '\ufeffx\r\n');
    expect(await read('bom')).toBe('\ufeffx\r\n');
  });
});

describe('list_folder', () => {
  it('lists names, kinds and sizes in order, without what is reserved', async () => {
    mkdirSync(join(root, '.writ'));
    symlinkSync('../secret', join(root, 'z'));
    expect(await list()).toEqual({
      path: '.',
      entries: [
        { name: 'a.txt', kind: 'file', size: 3 },
        { name: 'folder', kind: 'folder' },
        { name: 'z', kind: 'link' },
      ],
      more: 0,
    });
    expect(await list('folder')).toMatchObject({ path: 'folder', entries: [{ name: 'b.txt' }] });
  });

  it('says how many it left out', async () => {
    for (let index = 0; index < 1_010; index += 1) writeFileSync(join(root, 'folder', `f${index}`), '');
    expect(await list('folder')).toMatchObject({ more: 11 });
  });

  it.each(['..', '/etc', 'a.txt', 'absent'])(
    'refuses what is no folder inside its root: %s',
    async (path) => {
      await expect(list(path)).rejects.toMatchObject({ name: 'NotApplied' });
    },
  );
});
