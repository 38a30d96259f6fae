import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** One process as /proc shows it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly group: number;
  /** `T` stopped, `Z` ended and not yet waited for, … (proc(5)). */
  readonly state: string;
  readonly threads: number;
  /** With the pid it names a process for good: pids come again, pairs do not. */
  readonly startTime: string;
}

/** Whether this system lets us see other processes; without it the promises about descendants do not hold. */
export const seesProcesses = (): boolean => existsSync('/proc/self/stat');

export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`)?.toString('latin1');
  if (text === undefined) return undefined;
  // The command stands in parentheses and may hold blanks and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent = '', group = '', session = ''] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    state,
    threads: Number(fields[17] ?? 0),
    startTime: fields[19] ?? '',
  };
}

export function allProcesses(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((entry) => entry !== undefined);
}

/** A leader that has ended shows as `Z` while other threads of it, inside a write perhaps, still run. */
export const lives = (entry: ProcessEntry): boolean => !/[ZXx]/.test(entry.state) || entry.threads > 1;

/** Whether a process was started with `<name>=<value>` in its environment; `false` for one that we may not look into. */
export const hasInEnvironment = (pid: number, entry: string): boolean =>
  readOrNothing(`/proc/${pid}/environ`)?.toString('latin1').split('\0').includes(entry) ?? false;

/** Sends a signal to exactly this process, not to a later one of the same pid. */
export function signalExactly(entry: ProcessEntry, signal: NodeJS.Signals): void {
  if (readProcess(entry.pid)?.startTime !== entry.startTime) return;
  signalQuietly(entry.pid, signal);
}

/** A negative pid names a group. Answers whether anybody was there. */
export function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** A process may end between being listed and being read: that is an answer, not an error. */
function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
