import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Effects, counted outside the system. */
export class Probe {
  readonly file: string;
  readonly releaseFile: string;

  constructor(folder: string) {
    this.file = join(folder, 'probe.log');
    this.releaseFile = join(folder, 'released');
  }

  /** How often a call had its effect; all calls together where none is named. */
  count(callId?: string): number {
    return this.lines().filter((line) => callId === undefined || line.split(' ')[1] === callId).length;
  }

  /** Effects whose last word is `what`. */
  countOf(what: string): number {
    return this.lines().filter((line) => line.split(' ').slice(2).join(' ') === what).length;
  }

  /** Lets go every tool that holds, or the one that was called with this `k`, which is no path. */
  release(k?: string): void {
    writeFileSync(k === undefined ? this.releaseFile : `${this.releaseFile}.${k}`, '');
  }

  hold(): void {
    rmSync(this.releaseFile, { force: true });
  }

  private lines(): readonly string[] {
    return existsSync(this.file)
      ? readFileSync(this.file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
      : [];
  }
}
