import { setTimeout as sleep } from 'node:timers/promises';
import { openLogDisk } from '../log/log-disk';
import { runProgram } from '../program';

/**
 * The server with a disk that lies: its sync returns at once and syncs later. It exists to show that the proof of
 * acknowledgement.int.spec.ts can fail.
 */
const LATE_MS = 20;

void runProgram(process.argv.slice(2), async (path) => {
  const disk = await openLogDisk(path);
  return {
    write: (bytes, offset) => disk.write(bytes, offset),
    read: (offset, length) => disk.read(offset, length),
    close: () => disk.close(),
    sync: async () => void sleep(LATE_MS).then(() => disk.sync()),
  };
});
