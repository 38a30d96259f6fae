import Table from 'cli-table3';
import { serviceAt, targets } from '../points';
import { classes, type Column } from './column';
import type { Tally } from './tally';

const edges = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };
const plain = { chars: edges, style: { head: [], border: [] } };
const line = (text: string): void => void process.stdout.write(`${text}\n`);

/** The whole run as tables on stdout. */
export function printTally(tally: Tally): void {
  const kinds = [...tally.kinds].map(([kind, rounds]) => `${kind} ${rounds}`).join(', ');
  line(`\nRounds: ${tally.gone.rounds + tally.silent.rounds} (${kinds || 'none'})`);
  printPoints(tally);
  printFaults(tally);
  printColumn('Effects by class, holders known to be gone', tally.gone);
  printColumn('Effects by class, rounds with silence', tally.silent);
  printTimes(tally);
  const share = (tally.completed().share * 100).toFixed(1);
  line(`\nTurns completed: ${share} of 100${tally.endings.length > 0 ? '; the others:' : ''}`);
  for (const ending of tally.endings) line(`  ${ending}`);
}

const short: { readonly [target in (typeof targets)[number]]: string } = {
  'turn-orchestrator': 'orch.',
  'tool-executor': 'exec.',
  'approval-service': 'appr.',
  'event-store': 'store',
  'nats-server': 'nats',
};

function printPoints({ points, repeated }: Tally): void {
  line('\nKills by point: died there, froze there, stood there while each other was killed or frozen');
  const struck = targets.map((target) => `+ ${short[target]}`);
  const table = new Table({ head: ['point', 'stands', 'died', 'froze', ...struck, 'rounds'], ...plain });
  for (const [point, tally] of points) {
    const stands = serviceAt(point);
    const others = targets.map((target) => (target === stands ? '' : tally.struck[target]));
    table.push([point, short[stands], tally.died, tally.froze, ...others, tally.hits]);
  }
  line(table.toString());
  if (repeated.length > 0) line(`Not reached, and run again: ${repeated.join(', ')}`);
}

function printFaults({ faults }: Tally): void {
  if (faults.size === 0) return;
  line('\nFaults of store and broker, alone and while others recovered');
  const table = new Table({ head: ['fault', 'rounds', 'acted'], ...plain });
  for (const [name, { rounds, acted }] of [...faults].sort(([left], [right]) => left.localeCompare(right)))
    table.push([name, rounds, name === 'no_broker' ? rounds : acted]);
  line(table.toString());
}

function printColumn(title: string, column: Column): void {
  line(`\n${title} (${column.rounds} rounds)`);
  if (column.rounds === 0) return;
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

const recoveries = {
  takeover: 'another instance alive',
  restart: 'restarted under the same name',
  others: 'others killed while one stood',
} as const;

function printTimes({ settledMs }: Tally): void {
  line('\nFrom the last kill to everything settled');
  const times = new Table({ head: ['recovered by', 'rounds', 'median ms', 'worst ms'], ...plain });
  for (const recovery of ['takeover', 'restart', 'others'] as const) {
    const sorted = [...settledMs[recovery]].sort((a, b) => a - b);
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
