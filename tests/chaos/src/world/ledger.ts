import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

export interface Effects {
  /** Lines: how often a tool did it. */
  readonly raw: number;
  /** Distinct idempotency keys: how often a target that honours keys applied it. */
  readonly keys: number;
}

/** What tools did outside the system, one line each (fixtures/effects.mjs). */
export class Ledger {
  constructor(readonly file: string) {}

  effectsOf(callId: string): Effects {
    const keys = this.lines('effect', callId).map(([, key]) => key);
    return { raw: keys.length, keys: new Set(keys).size };
  }

  arrived(callId: string): boolean {
    return this.lines('arrived', callId).length > 0;
  }

  /** Lets go every tool that holds. */
  release(): void {
    writeFileSync(`${this.file}.released`, '');
  }

  hold(): void {
    rmSync(`${this.file}.released`, { force: true });
  }

  private lines(what: string, callId: string): readonly (readonly string[])[] {
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .filter((words) => words[0] === what && words[2] === callId);
  }
}
