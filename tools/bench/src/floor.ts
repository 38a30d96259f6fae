import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'nats';
import { percentile } from './percentile';

const rounds = 300;
const block = Buffer.alloc(1_024, 'w');

/** Milliseconds, median: what the machine itself needs, measured in the same run. */
export interface Floor {
  readonly fdatasyncMs: number;
  readonly natsRoundTripMs: number;
}

export async function measureFloor(folder: string, natsUrl: string): Promise<Floor> {
  return {
    fdatasyncMs: await fdatasync(join(folder, 'floor')),
    natsRoundTripMs: await natsRoundTrip(natsUrl),
  };
}

/** Write and fdatasync of 1 KiB at the end of a growing file, through Node's asynchronous fs. */
async function fdatasync(path: string): Promise<number> {
  const file = await open(path, 'a');
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    await file.write(block);
    await file.datasync();
    times.push(performance.now() - before);
  }
  await file.close();
  return percentile(times, 0.5);
}

/** Request and reply between two Node processes. */
async function natsRoundTrip(url: string): Promise<number> {
  const echo = fork(join(__dirname, 'echo.js'), [url]);
  await new Promise((resolve) => echo.once('message', resolve));
  const connection = await connect({ servers: url });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    await connection.request('writ.bench.echo', block, { timeout: 5_000 });
    times.push(performance.now() - before);
  }
  await connection.close();
  echo.kill();
  return percentile(times, 0.5);
}
