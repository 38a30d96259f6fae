import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { instanceProbe, listenAlive, newSocketPaths, probeGone, thisHost } from './instance-sockets';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writ-sockets-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process that listens at the path, until it is killed. */
async function listener(path: string): Promise<ChildProcess> {
  const code = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('ready'))`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

describe('a probe of an instance', () => {
  it('says gone only once both the process and its tool host refuse', async () => {
    const { process: processSocket, toolHost: toolHostSocket } = newSocketPaths(folder);
    const one = await listener(processSocket);
    const other = await listener(toolHostSocket);
    expect(await probeGone({ processSocket, toolHostSocket })).toBe('alive');
    await killed(one);
    expect(await probeGone({ processSocket, toolHostSocket })).toBe('alive');
    await killed(other);
    expect(await probeGone({ processSocket, toolHostSocket })).toBe('gone');
  });

  it('takes a frozen process for alive', async () => {
    const { process: processSocket } = newSocketPaths(folder);
    const child = await listener(processSocket);
    child.kill('SIGSTOP');
    expect(await probeGone({ processSocket })).toBe('alive');
  });

  it('knows nothing of a path that is not there', async () => {
    const { process: processSocket, toolHost: toolHostSocket } = newSocketPaths(folder);
    await killed(await listener(processSocket));
    expect(await probeGone({ processSocket, toolHostSocket })).toBe('unknown');
    expect(await probeGone({ processSocket })).toBe('gone');
  });

  it('knows nothing of an instance of another host or of an earlier run of this one', async () => {
    const sockets = newSocketPaths(folder);
    await killed(await listener(sockets.process));
    const host = thisHost();
    const here = { process: sockets.process };
    expect(await instanceProbe().probe({ host, sockets: here })).toBe('gone');
    expect(await instanceProbe().probe({ host: { ...host, name: 'elsewhere' }, sockets: here })).toBe(
      'unknown',
    );
    expect(await instanceProbe().probe({ host: { ...host, bootId: 'before' }, sockets: here })).toBe(
      'unknown',
    );
  });
});

describe('the socket that shows a process', () => {
  it('accepts while it is open, and refuses afterwards instead of vanishing', async () => {
    const { process: processSocket } = newSocketPaths(folder);
    const socket = await listenAlive(processSocket);
    expect(await probeGone({ processSocket })).toBe('alive');
    await socket.close();
    expect(await probeGone({ processSocket })).toBe('gone');
  });

  it('takes over the path of a process that is gone', async () => {
    const { process: processSocket } = newSocketPaths(folder);
    await killed(await listener(processSocket));
    const socket = await listenAlive(processSocket);
    expect(await probeGone({ processSocket })).toBe('alive');
    await socket.close();
  });

  it('is refused where its path is too long for a socket', async () => {
    await expect(listenAlive(join(folder, 'x'.repeat(100)))).rejects.toThrow(/allowed are 99/);
  });

  it('stays on disk for a day after its process has ended, and is removed by a later start', async () => {
    const { process: processSocket } = newSocketPaths(folder);
    const child = await listener(processSocket);
    const longAgo = new Date(Date.now() - 48 * 3_600_000);
    utimesSync(processSocket, longAgo, longAgo);
    newSocketPaths(folder);
    expect(await probeGone({ processSocket })).toBe('alive');
    await killed(child);
    newSocketPaths(folder);
    for (let tries = 0; tries < 200 && existsSync(processSocket); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(existsSync(processSocket)).toBe(false);
  });
});
