import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { JsonSchemaInput, ReadbackReply, Tool, ToolContext } from '../definition/tool';
import { limits } from '../limits';
import { wellFormed } from '../wire/text';
import { readRegularFile } from './read-tools';
import { asRefusal, codeOf, NotApplied, openFolder, type Place, placeOf, refusalOf } from './root';
import { type Attempt, WriteLog, type WriteRecord } from './write-log';

interface Written {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes a file whole or not at all. An equal file proves nothing (it may be older, or somebody else's), so both the
 * write and its readback go by the record of this idempotency key (`WriteLog`). That record also refuses a second
 * write for the key and any write of an older epoch, which is what `fenced` promises.
 */
export function writeFileTool(root: string): Tool<JsonSchemaInput> {
  return {
    name: 'write_file',
    description: `Writes a text file as a whole (UTF-8, at most ${limits.fileBytes} bytes), replacing what was there; missing folders are made.`,
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'relative to the root folder' },
        content: { type: 'string' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    effect: 'reconcilable',
    // Two paths may be one file, through links: no pointer into the arguments can tell.
    concurrency: 'exclusive',
    timeoutMs: 30_000,
    fenced: true,
    check: async ({ path, content }) => (await refusalOf(root, path)) ?? refusalOfContent(content),
    run: (args, ctx) => write(root, args, ctx),
    readback: (_args, ctx) => readBack(root, ctx),
  };
}

async function write(
  root: string,
  { path, content }: { readonly [key: string]: unknown },
  { idempotencyKey, epoch }: ToolContext,
): Promise<Written> {
  const refused = refusalOfContent(content);
  if (refused !== undefined || typeof content !== 'string')
    throw new NotApplied(refused?.refuse ?? 'content');
  const place = await placeOf(root, path);
  const bytes = Buffer.from(content, 'utf8');
  const log = await WriteLog.open(root, idempotencyKey).catch((error: unknown) => {
    throw asRefusal(error, place.shown);
  });
  try {
    const mode = await modeOf(place);
    const laid = await log.layContent(bytes, mode);
    const wanted = { epoch, content: laid, path: place.shown, sha256: hash(bytes), bytes: bytes.length };
    const earlier = await announce(log, { kind: 'attempt', ...wanted });
    if (earlier !== undefined) {
      await log.discard(laid);
      return writtenBy(earlier);
    }
    return await land(root, { log, place, attempt: { kind: 'attempt', ...wanted } });
  } finally {
    await log.close();
  }
}

/** Puts the attempt on record; or gives the earlier attempt of this key that has landed. */
async function announce(log: WriteLog, attempt: Attempt): Promise<Attempt | undefined> {
  for (;;) {
    const records = await log.records();
    if (records.some(({ epoch }) => epoch > attempt.epoch)) {
      await log.discard(attempt.content);
      throw new NotApplied('this call has a later owner by now');
    }
    const landed = await closeAttempts(log, records);
    if (landed !== undefined) return landed;
    if (await log.add(records.length, attempt)) return undefined;
  }
}

async function land(
  root: string,
  { log, place, attempt }: { readonly log: WriteLog; readonly place: Place; readonly attempt: Attempt },
): Promise<Written> {
  let landed = false;
  try {
    const folder = await openFolder(root, dirname(place.real), { create: true });
    try {
      landed = await log.land(attempt, folder.at(basename(place.real)));
      if (landed) await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    // What failed before the rename has done nothing, and is kept from doing anything later.
    if (landed || (await log.revoke(attempt)) === 'landed') throw error;
    throw asRefusal(error, place.shown);
  }
  if (!landed) throw new NotApplied('a readback has revoked this attempt');
  return writtenBy(attempt);
}

/** About this key alone. `not_applied` only after every earlier attempt has been kept from landing. */
async function readBack(root: string, { idempotencyKey, epoch }: ToolContext): Promise<ReadbackReply> {
  const log = await WriteLog.open(root, idempotencyKey);
  try {
    for (;;) {
      const records = await log.records();
      if (records.some((record) => record.epoch > epoch)) {
        return { effect: 'unknown', evidence: { why: 'this call has a later owner by now' } };
      }
      const landed = await closeAttempts(log, records);
      if (landed !== undefined) return await applied(root, landed);
      const fenced = records.at(-1)?.kind === 'fence' && records.at(-1)?.epoch === epoch;
      if (!fenced && !(await log.add(records.length, { kind: 'fence', epoch }))) continue;
      const revoked = records.filter(({ kind }) => kind === 'attempt').length;
      return { effect: 'not_applied', evidence: { attemptsRevoked: revoked, closedBelowEpoch: epoch } };
    }
  } finally {
    await log.close();
  }
}

async function applied(root: string, landed: Attempt): Promise<ReadbackReply> {
  const written = writtenBy(landed);
  const evidence = { ...written, epoch: landed.epoch, now: await contentNow(root, landed) };
  return { effect: 'applied', evidence, result: written };
}

async function closeAttempts(log: WriteLog, records: readonly WriteRecord[]): Promise<Attempt | undefined> {
  for (const record of records) {
    if (record.kind === 'attempt' && (await log.revoke(record)) === 'landed') return record;
  }
  return undefined;
}

/** What stands at the path by now, as evidence: others may have written since. */
async function contentNow(root: string, landed: Attempt): Promise<'equal' | 'different' | 'not_readable'> {
  try {
    const { real } = await placeOf(root, landed.path);
    return hash(await readRegularFile(root, real)) === landed.sha256 ? 'equal' : 'different';
  } catch {
    return 'not_readable';
  }
}

/** The mode to keep, if there is a file; anything but a regular file is not replaced. */
async function modeOf({ real, shown }: Place): Promise<number | undefined> {
  const stat = await lstat(real).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw asRefusal(error, shown);
  });
  if (stat !== undefined && !stat.isFile()) throw new NotApplied(`${shown}: is not a regular file`);
  return stat === undefined ? undefined : stat.mode & 0o777;
}

function refusalOfContent(content: unknown): { readonly refuse: string } | undefined {
  if (typeof content !== 'string') return { refuse: 'content must be a text' };
  if (wellFormed(content) !== content) return { refuse: 'content is not well-formed Unicode' };
  if (Buffer.byteLength(content) <= limits.fileBytes) return undefined;
  return { refuse: `content is over ${limits.fileBytes} bytes` };
}

const writtenBy = ({ path, bytes, sha256 }: Attempt): Written => ({ path, bytes, sha256 });
const hash = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
