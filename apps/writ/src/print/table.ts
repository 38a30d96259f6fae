import Table from 'cli-table3';
import type { Out } from './out';

const noBorders = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
};

export interface TableOptions {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What to say where there are no rows. */
  readonly empty: string;
  /** Columns of numbers, from 0 on. */
  readonly right?: readonly number[];
}

/** Rows under a quiet head, indented by two. */
export function printTable(out: Out, { head, rows, empty, right = [] }: TableOptions): void {
  if (rows.length === 0) return out.line(out.colors.dim(`  ${empty}`));
  const table = new Table({
    head: head.map((title) => out.colors.dim(title)),
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    chars: noBorders,
  });
  table.push(...rows.map((row) => [...row]));
  for (const line of table.toString().split('\n')) out.line(`  ${line}`.trimEnd());
}
