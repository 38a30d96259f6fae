import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder, removeFolder } from '../testing/server-process';
import { lockFolder } from './lock';
import { ownIdentity } from './process-identity';

let folder: string;

beforeEach(() => (folder = freshFolder()));
afterEach(() => removeFolder(folder));

const nonce = '00000000-0000-4000-8000-000000000000';

function leaveLock(pid: number, startTicks: number, boot: string): void {
  writeFileSync(join(folder, `lock.${pid}.${startTicks}.${boot}.${nonce}`), '');
}

describe('the lock of a data folder', () => {
  it('is held by one at a time', async () => {
    const first = await lockFolder(folder, 0);
    const second = await lockFolder(folder, 0);

    expect(first.ok).toBe(true);
    expect(second).toEqual({ ok: false, holder: ownIdentity() });
    if (first.ok) first.release();
    expect((await lockFolder(folder, 0)).ok).toBe(true);
  });

  it('never goes to two that ask at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const results = await Promise.all([1, 2, 3, 4].map(() => lockFolder(folder, 0)));

      expect(results.filter((result) => result.ok).length).toBeLessThanOrEqual(1);
      for (const result of results) if (result.ok) result.release();
    }
  });

  it('is taken over from a process that is gone, and the old file is removed', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    leaveLock(pid, 0, '');
    leaveLock(pid, 1, ownIdentity().boot);

    expect((await lockFolder(folder, 0)).ok).toBe(true);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  const onLinux = ownIdentity().startTicks > 0;
  (onLinux ? it : it.failing)('is taken over where another process has the number by now', async () => {
    leaveLock(process.pid, ownIdentity().startTicks - 1, ownIdentity().boot);

    expect((await lockFolder(folder, 0)).ok).toBe(true);
  });

  it('waits for a holder that is going away', async () => {
    const first = await lockFolder(folder, 0);
    setTimeout(() => first.ok && first.release(), 50);

    expect((await lockFolder(folder, 5000)).ok).toBe(true);
  });
});
