import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below these each machine's own folder of libraries holds `faketime`. */
const libraryFolders = ['/usr/lib', '/usr/local/lib'];
const inFolder = join('faketime', 'libfaketime.so.1');

/**
 * A wall clock of its own for each process that is named: set before it starts, moved while it runs. Nothing else of
 * time is touched, neither monotonic time nor timers nor the times of files, as when an operator or NTP sets the clock.
 */
export class WallClocks {
  private readonly folder = mkdtempSync(join(tmpdir(), 'writ-clocks-'));
  private readonly library = libraryOfFaketime();

  constructor(private readonly names: readonly string[]) {
    this.right();
  }

  /** What the processes get on top of their environment, as a stack takes it. */
  get envOf(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    const env = (name: string) => ({
      LD_PRELOAD: this.library,
      FAKETIME_TIMESTAMP_FILE: this.file(name),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DISABLE_SHM: '1',
      NO_FAKE_STAT: '1',
    });
    return Object.fromEntries(this.names.map((name) => [name, env(name)]));
  }

  /** From now on this process's wall clock is so many seconds ahead; behind where negative. */
  set(name: string, seconds: number): void {
    const fresh = `${this.file(name)}.new`;
    writeFileSync(fresh, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    renameSync(fresh, this.file(name));
  }

  /** All clocks tell the time. */
  right(): void {
    for (const name of this.names) this.set(name, 0);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private file(name: string): string {
    return join(this.folder, name);
  }
}

function libraryOfFaketime(): string {
  const folders = libraryFolders.flatMap((folder) => [
    folder,
    ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []),
  ]);
  const found = folders.map((folder) => join(folder, inFolder)).find((file) => existsSync(file));
  if (found === undefined)
    throw new Error(
      'libfaketime is missing, and with it the proof: install it, e.g. apt-get install faketime',
    );
  return found;
}
