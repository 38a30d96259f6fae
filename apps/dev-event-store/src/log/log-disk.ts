import { constants, type PathLike } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** What the log needs of a disk; a test binds it to a disk that fails or lies. */
export interface LogDisk {
  /** Writes all of `bytes` at `offset`. */
  write(bytes: Buffer, offset: number): Promise<void>;
  /** Resolves once everything written before the call is on stable storage. */
  sync(): Promise<void>;
  read(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openLogDisk(path: PathLike): Promise<LogDisk> {
  return new FileDisk(await open(path, constants.O_RDWR));
}

class FileDisk implements LogDisk {
  constructor(private readonly file: FileHandle) {}

  async write(bytes: Buffer, offset: number): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.length - done, offset + done);
      done += bytesWritten;
    }
  }

  async sync(): Promise<void> {
    await this.file.datasync();
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new Error(`the log ends at ${offset + done}, before ${offset + length}`);
      done += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
