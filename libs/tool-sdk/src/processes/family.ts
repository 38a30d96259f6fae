import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../limits';
import { Pace } from './pace';
import type { ProcessEntry } from './process-table';
import {
  allProcesses,
  hasInEnvironment,
  lives,
  readProcess,
  seesProcesses,
  signalExactly,
  signalQuietly,
} from './process-table';

export interface Family {
  readonly pid: number;
  /** With the pid it names the process for good (`ProcessEntry.startTime`). */
  readonly startTime: string;
  /** `NAME=value` that the process was started with, and that what it starts inherits. */
  readonly mark: string;
  /** The session that all of them belong to: what left it by `setsid` is outside the promise (R10). */
  readonly session: number;
}

/**
 * Ends one tool process with everything that it started, and nothing else of the group; returns once all have ended.
 * First all are stopped, so that none has a child unseen; who lost its parent is known by the mark.
 */
export async function endFamily(family: Family): Promise<void> {
  if (!seesProcesses()) {
    signalQuietly(family.pid, 'SIGKILL');
    while (signalQuietly(family.pid, 0)) await sleep(limits.pollMs);
    return;
  }
  const doomed = new Map<number, ProcessEntry>();
  for (let round = 0; round < limits.stopRounds; round += 1) {
    const found = findNew(family, doomed);
    for (const entry of found) signalExactly(entry, 'SIGSTOP');
    if (found.length === 0 && [...doomed.values()].every(isStill)) break;
  }
  const pace = new Pace();
  while (!pace.isClean(killLeft(family, doomed))) await sleep(pace.ms);
}

/** Answers how many were still there. */
function killLeft(family: Family, doomed: Map<number, ProcessEntry>): number {
  findNew(family, doomed);
  const left = [...doomed.values()].filter(isLeft);
  for (const entry of left) signalExactly(entry, 'SIGKILL');
  return left.length;
}

function findNew(family: Family, doomed: Map<number, ProcessEntry>): ProcessEntry[] {
  const candidates = allProcesses().filter((entry) => entry.session === family.session);
  const found: ProcessEntry[] = [];
  for (let grown = true; grown;) {
    grown = false;
    for (const entry of candidates) {
      if (doomed.get(entry.pid)?.startTime === entry.startTime || !lives(entry)) continue;
      const belongs =
        (entry.pid === family.pid && entry.startTime === family.startTime) ||
        doomed.has(entry.parent) ||
        hasInEnvironment(entry.pid, family.mark);
      if (!belongs) continue;
      doomed.set(entry.pid, entry);
      found.push(entry);
      grown = true;
    }
  }
  return found;
}

function isStill(entry: ProcessEntry): boolean {
  const now = readProcess(entry.pid);
  return now?.startTime !== entry.startTime || !lives(now) || /[Tt]/.test(now.state);
}

function isLeft(entry: ProcessEntry): boolean {
  const now = readProcess(entry.pid);
  return now?.startTime === entry.startTime && lives(now);
}
