import { constants, existsSync } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { limits } from '../limits';
import { isFields } from '../wire/fields';

/** Nothing was done: by its name the host and the executor know it (R8). */
export class NotApplied extends Error {
  override readonly name = 'NotApplied';
}

/** Kept for records of `write_file`; no tool reads, lists or writes in it. */
export const reservedFolder = '.writ';

/** A file or folder inside the root, its links resolved. */
export interface Place {
  /** Absolute, without a link in it, up to where it exists. */
  readonly real: string;
  /** Relative to the root, for people. */
  readonly shown: string;
}

/** Where a path of an argument leads, links resolved. Throws `NotApplied` if it leaves the root or leads nowhere. */
export async function placeOf(root: string, path: unknown): Promise<Place> {
  const realRoot = await realpath(root);
  const inner = innerPath([realRoot, resolve(root)], path);
  const real = await resolveLinks(join(realRoot, inner), inner);
  const shown = relative(realRoot, real);
  if (leaves(shown)) throw new NotApplied(`${inner}: leads out of the folder that these tools may use`);
  if (shown.split(sep)[0]?.toLowerCase() === reservedFolder) {
    throw new NotApplied(`${inner}: ${reservedFolder} is not for tools`);
  }
  return { real, shown: shown === '' ? '.' : shown };
}

/** What `check` answers for a path: nothing, or why it is refused. */
export async function refusalOf(
  root: string,
  path: unknown,
): Promise<{ readonly refuse: string } | undefined> {
  try {
    await placeOf(root, path);
    return undefined;
  } catch (error) {
    if (error instanceof NotApplied) return { refuse: error.message };
    throw error;
  }
}

/**
 * A folder by descriptor: what is done in it through `at` stays in it, whatever becomes of its path meanwhile.
 * `create` makes what is missing on the way.
 */
export async function openFolder(
  root: string,
  real: string,
  options: { readonly create: boolean },
): Promise<Folder> {
  const realRoot = await realpath(root);
  let folder = await openReal(realRoot, realRoot);
  for (const part of relative(realRoot, real).split(sep)) {
    if (part === '') continue;
    const outer = folder;
    folder = await enter(outer, part, { ...options, realRoot }).finally(() => outer.close());
  }
  return folder;
}

export class Folder {
  constructor(
    private readonly handle: FileHandle,
    private readonly path: string,
  ) {}

  at(name: string): string {
    // On Linux the path goes through the descriptor, as openat(2) would.
    return join(byDescriptor ? `/proc/self/fd/${this.handle.fd}` : this.path, name);
  }

  /** Makes what was done in the folder survive a power failure. */
  sync(): Promise<void> {
    return this.handle.sync();
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

const byDescriptor = existsSync('/proc/self/fd');

async function enter(
  folder: Folder,
  part: string,
  { create, realRoot }: { readonly create: boolean; readonly realRoot: string },
): Promise<Folder> {
  try {
    return await openReal(folder.at(part), realRoot);
  } catch (error) {
    if (!create || codeOf(error) !== 'ENOENT') throw asRefusal(error, part);
  }
  await mkdir(folder.at(part)).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw asRefusal(error, part);
  });
  await folder.sync();
  return openReal(folder.at(part), realRoot);
}

async function openReal(path: string, realRoot: string): Promise<Folder> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const real = byDescriptor ? await readlink(`/proc/self/fd/${handle.fd}`) : path;
  if (!leaves(relative(realRoot, real))) return new Folder(handle, real);
  await handle.close();
  throw new NotApplied('leads out of the folder that these tools may use');
}

function innerPath(roots: readonly string[], path: unknown): string {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new NotApplied('path must be a text');
  if (Buffer.byteLength(path) > limits.pathBytes)
    throw new NotApplied(`path is over ${limits.pathBytes} bytes`);
  for (const root of roots) {
    const inner = relative(root, isAbsolute(path) ? resolve(path) : resolve(root, path));
    if (!leaves(inner)) return inner;
  }
  throw new NotApplied(`${path}: leads out of the folder that these tools may use`);
}

/** realpath of what exists, and the rest of the path as it stands. */
async function resolveLinks(path: string, shown: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw asRefusal(error, shown);
  }
  const isLink = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isLink) throw new NotApplied(`${shown}: is a link that leads nowhere`);
  return join(await resolveLinks(dirname(path), shown), basename(path));
}

const leaves = (inner: string): boolean =>
  inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner);

export const codeOf = (error: unknown): string | undefined =>
  isFields(error) && typeof error['code'] === 'string' ? error['code'] : undefined;

/** What the file system says about a path, in words that do not name the machine's paths. */
export function asRefusal(error: unknown, shown: string): unknown {
  const words: { readonly [code: string]: string } = {
    ENOENT: 'does not exist',
    ENOTDIR: 'is not a folder',
    EISDIR: 'is a folder',
    ELOOP: 'is a link',
    EACCES: 'may not be accessed',
    EPERM: 'may not be accessed',
    EROFS: 'cannot be written: the file system is read-only',
    ENOSPC: 'cannot be written: the disk is full',
    EDQUOT: 'cannot be written: the quota is used up',
    ENAMETOOLONG: 'is too long a name',
    ENXIO: 'is not a regular file',
    EXDEV: 'is on another file system than the root of these tools',
  };
  const code = codeOf(error);
  if (code === undefined) return error;
  return new NotApplied(`${shown}: ${words[code] ?? code}`);
}
