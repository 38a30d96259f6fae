import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCK_POLL_MS, LOCK_WAIT_MS } from '../limits';
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity';

/** The holder stands in the name: a file is created with its name at once, but with its content only later. */
const LOCK_NAME = /^lock\.(\d+)\.(\d+)\.([0-9a-f]*)\.[0-9a-f-]{36}$/;

export type LockResult = { ok: true; release: () => void } | { ok: false; holder: ProcessIdentity };

/**
 * Keeps a second server out of a data folder. Every candidate first writes a lock file of its own and then looks at
 * the others: of two candidates the one that looks last sees the other, so that at most one goes on, whatever the
 * order. A lock of a dead process is removed by whoever sees it; a process that is just being killed is waited for.
 */
export async function lockFolder(folder: string, waitMs = LOCK_WAIT_MS): Promise<LockResult> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const own = lockName(ownIdentity());
    writeFileSync(join(folder, own), '', { flag: 'wx' });
    const release = (): void => rmSync(join(folder, own), { force: true });
    const holder = otherHolder(folder, own);
    if (holder === undefined) return { ok: true, release };
    release();
    if (Date.now() >= deadline) return { ok: false, holder };
    // The random part keeps two candidates from colliding again and again.
    await sleep(LOCK_POLL_MS * (1 + Math.random()));
  }
}

function lockName({ pid, startTicks, boot }: ProcessIdentity): string {
  return `lock.${pid}.${startTicks}.${boot}.${randomUUID()}`;
}

function otherHolder(folder: string, own: string): ProcessIdentity | undefined {
  for (const name of readdirSync(folder)) {
    const [, pid, startTicks, boot] = LOCK_NAME.exec(name) ?? [];
    if (name === own || pid === undefined || startTicks === undefined || boot === undefined) continue;
    const holder = { pid: Number(pid), startTicks: Number(startTicks), boot };
    if (isAlive(holder)) return holder;
    rmSync(join(folder, name), { force: true });
  }
  return undefined;
}
