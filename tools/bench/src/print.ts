import Table from 'cli-table3';
import type { Floor } from './floor';
import type { Measured } from './workload';

/** Three acknowledged appends and two hops over the broker: what one durable call cannot do without. */
const floorOf = ({ fdatasyncMs, natsRoundTripMs }: Floor): number => 3 * fdatasyncMs + 2 * natsRoundTripMs;

export function printResults(results: {
  readonly floor: Floor;
  readonly measured: readonly Measured[];
  readonly effects: { readonly expected: number; readonly seen: number };
  readonly audit: { readonly ok: boolean; readonly events: number };
}): void {
  const { floor, measured, effects, audit } = results;
  const line = (text: string): void => void process.stdout.write(`${text}\n`);
  const bound = floorOf(floor);
  line('Durable calls: staged, claimed, run in a tool process, committed; sync on, every rule kept\n');
  const table = new Table({
    head: [
      'turns at a time',
      'calls a step',
      'calls',
      'calls/s',
      'step p50 ms',
      'step p99 ms',
      'p50 / floor',
    ],
    style: { head: [], border: [] },
    colAligns: ['right', 'right', 'right', 'right', 'right', 'right', 'right'],
  });
  for (const { turns, batch, calls, callsPerSecond, p50Ms, p99Ms } of measured) {
    table.push([
      turns,
      batch,
      calls,
      callsPerSecond.toFixed(0),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      (p50Ms / bound).toFixed(1),
    ]);
  }
  line(table.toString());
  line(
    `\nThis machine, same run: write + fdatasync of 1 KiB ${floor.fdatasyncMs.toFixed(2)} ms, NATS round trip ${floor.natsRoundTripMs.toFixed(2)} ms`,
  );
  line(`The floor is 3 fdatasync + 2 round trips = ${bound.toFixed(2)} ms`);
  line(
    `Effects: ${effects.seen} seen, ${effects.expected} expected. Audit: ${audit.ok ? 'clean' : 'FINDINGS'} over ${audit.events} events`,
  );
  line(
    '\nNot measured: a real EventStoreDB or a cluster, a real model, several executors, memory, long histories.',
  );
}
