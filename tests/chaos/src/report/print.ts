import Table from 'cli-table3';
import { classes, type Column, type Tally } from './tally';

const plain = { style: { head: [], border: [] } };
const line = (text: string): void => void process.stdout.write(`${text}\n`);

/** The whole run as tables on stdout. */
export function printTally(tally: Tally): void {
  const kinds = [...tally.kinds].map(([kind, rounds]) => `${kind} ${rounds}`).join(', ');
  line(
    `\nRounds: ${tally.gone.rounds + tally.silent.rounds} (${kinds || 'none'}); store faults that acted: ${tally.faultHits}`,
  );

  line('\nKills by point');
  const kills = new Table({ head: [...tally.kills.keys()], ...plain });
  kills.push([...tally.kills.values()]);
  line(kills.toString());
  const held = [...tally.held].map(([point, rounds]) => `${point} ${rounds}`).join(', ');
  if (held !== '') line(`All others killed while one was held at: ${held}`);
  if (tally.missed.length > 0) line(`Not reached: ${tally.missed.join(', ')}`);

  printColumn('Effects by class, holders known to be gone', tally.gone);
  if (tally.silent.rounds > 0) printColumn('Effects by class, rounds with silence', tally.silent);

  line('\nFrom the last kill to everything settled');
  const times = new Table({ head: ['recovered by', 'rounds', 'median ms', 'worst ms'], ...plain });
  const recoveries = {
    takeover: 'another instance alive',
    restart: 'restarted under the same name',
    together: 'all others restarted',
  } as const;
  for (const recovery of ['takeover', 'restart', 'together'] as const) {
    const sorted = [...tally.settledMs[recovery]].sort((a, b) => a - b);
    const at = (index: number): string => sorted[index]?.toFixed(0) ?? '–';
    times.push([
      recoveries[recovery],
      sorted.length,
      at(Math.floor(sorted.length / 2)),
      at(sorted.length - 1),
    ]);
  }
  line(times.toString());
}

function printColumn(title: string, column: Column): void {
  line(`\n${title} (${column.rounds} rounds)`);
  const head = ['class', 'calls', 'expected', 'may be', 'seen', 'lines'];
  const table = new Table({ head, ...plain });
  for (const each of classes) {
    const { calls, applied, unknown, seen, raw } = column.ofClass[each];
    table.push([each, calls, each === 'read' ? 'any' : applied, unknown, seen, raw]);
  }
  line(table.toString());
  const endings = [...column.endings].map(([ending, turns]) => `${ending} ${turns}`).join(', ');
  line(
    `Calls taken over: ${column.takenOver}, left in doubt: ${column.inDoubt}. Turns: ${endings || 'none'}`,
  );
}
