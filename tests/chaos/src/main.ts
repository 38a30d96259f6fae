import { randomInt } from 'node:crypto';
import { chaosLimits } from './limits';
import { readOptions, type Options } from './options';
import { planRounds } from './plans';
import { shortfall } from './report/shortfall';
import { printTally } from './report/print';
import { Tally } from './report/tally';
import { runMatrix, type Broken } from './run-matrix';

/** As `npm run simulate` exits: clean, safety, wrong usage, liveness, thrown. */
const codes = { clean: 0, safety: 1, usage: 2, liveness: 4, thrown: 5 } as const;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const answer = (line: string): void => void process.stdout.write(`${line}\n`);

void main().then((code) => (process.exitCode = code));

async function main(): Promise<number> {
  const reading = readOptions(process.argv.slice(2), () => randomInt(chaosLimits.seed.max));
  if (!reading.ok) {
    for (const line of reading.lines) say(line);
    return codes.usage;
  }
  const { options } = reading;
  answer(`seed ${options.seed}, ${options.rounds} rounds`);
  const tally = new Tally();
  try {
    const broken = await run(options, tally);
    printTally(tally);
    return judge(broken, { options, tally });
  } catch (error) {
    printTally(tally);
    answer(
      `Thrown (seed ${options.seed}): ${error instanceof Error ? (error.stack ?? error.message) : 'unknown'}`,
    );
    return codes.thrown;
  }
}

function run({ seed, rounds, only, config }: Options, tally: Tally): Promise<Broken | undefined> {
  const plans = planRounds(seed, rounds, config).filter(({ round }) => only === undefined || round === only);
  return runMatrix({ plans, config, env: process.env, tally, say });
}

function judge(
  broken: Broken | undefined,
  given: { readonly options: Options; readonly tally: Tally },
): number {
  const { seed } = given.options;
  if (broken !== undefined) {
    const { round, violation } = broken;
    answer(
      `\nBROKEN ${violation.rule} (${violation.kind}) in round ${round} of seed ${seed}: ${violation.what}`,
    );
    return codes[violation.kind];
  }
  const short = shortfall(given.tally, given.options);
  if (short !== undefined) {
    answer(`\nBROKEN ${short.rule} (${short.kind}) over all rounds of seed ${seed}: ${short.what}`);
    return codes[short.kind];
  }
  answer(`\nClean: audit without findings, every effect as recorded (seed ${seed}).`);
  return codes.clean;
}
