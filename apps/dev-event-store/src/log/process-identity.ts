import { readFileSync } from 'node:fs';

/**
 * Names one process for as long as the machine is up. A process id alone is reused, most of all in containers, where
 * the server is the same number every time.
 */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks since boot at which the process started; 0 where the system does not tell (only Linux does). */
  startTicks: number;
  /** First characters of the machine's boot id; empty where the system does not tell. */
  boot: string;
}

interface ProcessState {
  startTicks: number;
  /** Over, down to its last thread: a killed server may still have a write in the kernel. */
  over: boolean;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTicks: processState(process.pid)?.startTicks ?? 0, boot: bootId() };
}

export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.startTicks === 0) return answersSignals(identity.pid);
  const state = processState(identity.pid);
  if (state === undefined || state.over) return false;
  return state.startTicks === identity.startTicks && identity.boot === bootId();
}

function bootId(): string {
  return (readText('/proc/sys/kernel/random/boot_id') ?? '').slice(0, 8);
}

/** Fields of /proc/<pid>/stat behind the command: 0 is the state, 17 the number of threads, 19 the start time. */
function processState(pid: number): ProcessState | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ended = fields[0] === 'Z' || fields[0] === 'X';
  return { startTicks: Number(fields[19]), over: ended && Number(fields[17]) <= 1 };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
