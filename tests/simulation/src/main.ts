import { createHash } from 'node:crypto';
import { emptyCells, merge, tableOf, type Coverage } from './tally';
import { simulationLimits } from './limits';
import { readOptions, type Options } from './options';
import type { Portion } from './run-portion';
import { runAll } from './workers';

/** Interfaces: `npm run simulate`. */
const codes = { clean: 0, safety: 1, usage: 2, liveness: 4, thrown: 5 } as const;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const answer = (line: string): void => void process.stdout.write(`${line}\n`);

void main()
  .catch((error: unknown) => {
    say(error instanceof Error ? (error.stack ?? error.message) : 'something that is no error was thrown');
    return codes.thrown;
  })
  .then((code) => (process.exitCode = code));

async function main(): Promise<number> {
  const reading = readOptions(process.argv.slice(2));
  if (!reading.ok) {
    for (const line of reading.lines) say(line);
    return codes.usage;
  }
  const { options } = reading;
  answer(`seeds ${options.from} to ${options.from + options.seeds - 1}`);
  const beganMs = performance.now();
  const portions = await runAll(options, ({ from }) => say(`done from ${from}: ${sinceMs(beganMs)} ms`));
  return judge(options, portions);
}

const sinceMs = (beganMs: number): number => Math.round(performance.now() - beganMs);

function judge({ seeds }: Options, portions: readonly Portion[]): number {
  const broken = portions.at(-1)?.broken;
  if (broken !== undefined) {
    const { seed, violation, trace } = broken;
    for (const line of trace) answer(line);
    answer(`BROKEN ${violation.rule} (${violation.kind}) in seed ${seed}: ${violation.what}`);
    answer(`Again: npm run simulate -- --seeds 1 --from ${seed}`);
    return codes[violation.kind];
  }
  const coverage: Coverage = {};
  const digest = createHash('sha256');
  for (const portion of portions) {
    merge(coverage, portion.coverage);
    digest.update(portion.digest);
  }
  for (const line of tableOf(coverage)) answer(line);
  answer(`traces ${digest.digest('hex')}`);
  const empty = emptyCells(coverage);
  if (seeds >= simulationLimits.seeds.fullTable && empty.length > 0) {
    answer(`BROKEN coverage (safety): never seen in ${seeds} seeds: ${empty.join(', ')}`);
    return codes.safety;
  }
  answer(`Clean: ${seeds} seeds.`);
  return codes.clean;
}
