import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../limits';
import { Pace } from './pace';
import type { ProcessEntry } from './process-table';
import { allProcesses, lives, seesProcesses, signalExactly, signalQuietly } from './process-table';

/**
 * A tool host is leader of its session and of its process group. The session is looked at rather than the group:
 * a shell with job control opens groups of its own, only `setsid` leaves the session.
 */
function membersOf(session: number, except?: number): ProcessEntry[] {
  return allProcesses().filter(
    (entry) => (entry.session === session || entry.group === session) && entry.pid !== except && lives(entry),
  );
}

/**
 * The host's last act (R10): kills everybody else in its session, waits until the process table shows nobody, then
 * kills the group and with it itself. Blocks the thread on purpose: nothing else may happen in between. As its death
 * is what closes the host's socket, an observer that is refused may rely on all others having ended.
 */
export function endOwnSession(): never {
  const pace = new Pace();
  while (seesProcesses() && !pace.isClean(killOthers(process.pid, process.pid))) pause(pace.ms);
  signalQuietly(-process.pid, 'SIGKILL');
  for (;;) pause(limits.pollMs);
}

/** Kills everybody in this process's session but itself; returns once they have ended. */
export async function endOthersInSession(): Promise<void> {
  const pace = new Pace();
  while (seesProcesses() && !pace.isClean(killOthers(process.pid, process.pid))) await sleep(pace.ms);
}

/** From the executor: the host's whole group, the host included; returns once all have ended. */
export async function endSession(leader: number): Promise<void> {
  signalQuietly(-leader, 'SIGKILL');
  const pace = new Pace();
  const left = (): number => (seesProcesses() ? killOthers(leader) : Number(signalQuietly(-leader, 0)));
  while (!pace.isClean(left())) await sleep(pace.ms);
}

/** Answers how many were still there. */
function killOthers(session: number, except?: number): number {
  const members = membersOf(session, except);
  for (const entry of members) signalExactly(entry, 'SIGKILL');
  return members.length;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
