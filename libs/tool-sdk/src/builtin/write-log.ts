import { createHash, randomBytes } from 'node:crypto';
import { access, link, open, readFile, rename, truncate, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../limits';
import { numberField, parseFields, textField } from '../wire/fields';
import { codeOf, type Folder, openFolder, reservedFolder } from './root';

/** An attempt to write, made known before it lands. */
export interface Attempt {
  readonly kind: 'attempt';
  readonly epoch: number;
  /** Where its content waits, in this folder. */
  readonly content: string;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}
/** No attempt of a smaller epoch may be added after it. */
export interface Fence {
  readonly kind: 'fence';
  readonly epoch: number;
}
export type WriteRecord = Attempt | Fence;

/** `pending`: may land yet · `landed` · `revoked`: never will */
export type Standing = 'pending' | 'landed' | 'revoked';

/**
 * What is known about the writes of **one idempotency key**: numbered files that are only ever added, each under a
 * name that can be taken once. An attempt's content waits beside them, and exactly one rename takes it away: into its
 * place, which is the write, or aside, which revokes it. So an attempt that did not land can be kept from ever
 * landing, even if its process is only frozen.
 */
export class WriteLog {
  private constructor(
    private readonly folder: Folder,
    private readonly key: string,
  ) {}

  static async open(root: string, idempotencyKey: string): Promise<WriteLog> {
    const key = createHash('sha256').update(idempotencyKey).digest('hex');
    const real = join(root, reservedFolder, 'writes', key.slice(0, 2));
    return new WriteLog(await openFolder(root, real, { create: true }), key);
  }

  async records(): Promise<WriteRecord[]> {
    const records: WriteRecord[] = [];
    while (records.length < limits.writeRecords) {
      const bytes = await readFile(this.at(String(records.length))).catch(ifAbsent);
      if (bytes === undefined) return records;
      records.push(recordFrom(bytes));
    }
    throw new Error(`more than ${limits.writeRecords} records about one call`);
  }

  /** Adds the record as number `index`; false if another one has taken that number. Durable when it returns. */
  async add(index: number, record: WriteRecord): Promise<boolean> {
    const draft = this.at(`${randomBytes(6).toString('hex')}.draft`);
    await writeDurably(draft, Buffer.from(JSON.stringify(record), 'utf8'));
    try {
      await link(draft, this.at(String(index)));
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await unlink(draft);
    }
    await this.folder.sync();
    return true;
  }

  /** Lays content aside for an attempt, durably; its name goes into the record. */
  async layContent(content: Buffer, mode: number | undefined): Promise<string> {
    const name = `${randomBytes(6).toString('hex')}.content`;
    await writeDurably(this.at(name), content, mode);
    return name;
  }

  /** The write itself; false if the attempt has been revoked. */
  async land(attempt: Attempt, target: string): Promise<boolean> {
    try {
      await rename(this.at(attempt.content), target);
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && (await this.standing(attempt)) === 'revoked') return false;
      throw error;
    }
    await this.folder.sync();
    return true;
  }

  /** Keeps a pending attempt from landing; answers what it is then. */
  async revoke(attempt: Attempt): Promise<'landed' | 'revoked'> {
    const aside = this.at(`${attempt.content}.revoked`);
    const moved = await rename(this.at(attempt.content), aside).then(() => true, ifAbsent);
    if (moved === undefined && (await this.standing(attempt)) === 'landed') return 'landed';
    await this.folder.sync();
    // Its name says what is to be known; its bytes are of no more use.
    await truncate(aside);
    return 'revoked';
  }

  async discard(content: string): Promise<void> {
    await unlink(this.at(content)).catch(ifAbsent);
  }

  async standing(attempt: Attempt): Promise<Standing> {
    if (await exists(this.at(attempt.content))) return 'pending';
    return (await exists(this.at(`${attempt.content}.revoked`))) ? 'revoked' : 'landed';
  }

  close(): Promise<void> {
    return this.folder.close();
  }

  private at(name: string): string {
    return this.folder.at(`${this.key}.${name}`);
  }
}

function recordFrom(bytes: Buffer): WriteRecord {
  const fields = parseFields(bytes);
  const epoch = numberField(fields, 'epoch');
  if (textField(fields, 'kind') === 'fence') return { kind: 'fence', epoch };
  return {
    kind: 'attempt',
    epoch,
    content: textField(fields, 'content'),
    path: textField(fields, 'path'),
    sha256: textField(fields, 'sha256'),
    bytes: numberField(fields, 'bytes'),
  };
}

async function writeDurably(path: string, bytes: Buffer, mode?: number): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function ifAbsent(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}
