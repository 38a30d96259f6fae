import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Ends the processes it watches when this process ends without having done so. */
export interface Guardian {
  watch(pid: number): void;
  release(pid: number): void;
  /** Kills what is still watched. */
  dismiss(): void;
}

/** The built file, also where this one runs from its source. */
const program = join(__dirname, '..', '..', 'dist', 'guardian', 'main.js');

export function startGuardian(): Guardian {
  const child = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  // Without a guardian the stack still works; only its own violent death would leave something behind.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  const say = (line: string): void => void child.stdin.write(`${line}\n`);
  return {
    watch: (pid) => say(`+${pid}`),
    release: (pid) => say(`-${pid}`),
    dismiss: () => child.stdin.end(),
  };
}
