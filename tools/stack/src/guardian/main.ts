/**
 * Outlives a stack that is killed, to end what it started. Its stdin is a pipe from the stack: `+pid` and `-pid`, one
 * a line; the end of the pipe is the end of the stack, whatever ended it, and whatever is still on the list is killed.
 */
import { createInterface } from 'node:readline';

const pids = new Set<number>();

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const match = /^([+-])([1-9][0-9]{0,9})$/.exec(line);
    if (match === null) return;
    const pid = Number(match[2]);
    if (match[1] === '+') pids.add(pid);
    else pids.delete(pid);
  })
  .on('close', () => {
    for (const pid of pids) kill(pid);
    process.exit(0);
  });

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
