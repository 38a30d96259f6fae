import type { Command, Context } from '../context';
import { exitCodes, type ExitCode } from '../exit-codes';
import { answerTo, type Answer } from '../policy/answer';
import { knownEffects } from '../policy/known-effects';
import { readPolicy, type PolicyFile } from '../policy/read-policy';
import { questionOfLine, questionsOfFile, type CallOptions, type Question } from '../policy/read-questions';
import { printTable } from '../print/table';

export interface PolicyTestOptions extends CallOptions {
  readonly config: string;
}

/** Asks the policy of a file about calls: those of a file of cases, or one from the line. Exit 1 where an answer differs. */
export const testPolicy =
  (casesFile: string | undefined, { config, ...call }: PolicyTestOptions): Command =>
  async (context) => {
    const { out, json } = context;
    const wrong = (problems: readonly string[]): ExitCode => {
      for (const problem of problems) out.complain(problem);
      return exitCodes.wrongUsage;
    };
    const isLineEmpty = Object.keys(call).length === 0;
    if ((casesFile === undefined) === isLineEmpty)
      return wrong(['name either a file of cases or one call with --tool']);
    const policy = readPolicy(config);
    if (!policy.ok) return wrong(policy.problems);
    const asked = casesFile === undefined ? questionOfLine(call) : questionsOfFile(casesFile);
    if (!asked.ok) return wrong(asked.problems);
    const answered = await answersTo(asked.questions, policy.file, context);
    if (answered.problems.length > 0) return wrong(answered.problems);
    const { answers } = answered;
    const ok = answers.every((answer) => answer.ok);
    if (json) out.json({ ok, config, cases: answers.map(shown) });
    else print(context, answers);
    return ok ? exitCodes.good : exitCodes.finding;
  };

async function answersTo(questions: readonly Question[], file: PolicyFile, { store }: Context) {
  const effectOf = knownEffects(store);
  const answers: Answer[] = [];
  const problems: string[] = [];
  for (const question of questions) {
    const { call, problemAt } = question;
    const platform = file.problemOfPlatform(call.platform);
    const known =
      call.effect === undefined ? await effectOf(call.tool) : ({ ok: true, effect: call.effect } as const);
    if (platform !== undefined) problems.push(problemAt('platform', platform));
    if (!known.ok) problems.push(problemAt('effect', known.problem));
    else answers.push(answerTo(question, { file, effect: known.effect }));
  }
  return { answers, problems };
}

const shown = ({ decision, at, ...answer }: Answer) => ({ ...answer, ...decision, ...at });

function print({ out }: Context, answers: readonly Answer[]): void {
  const { green, red, dim } = out.colors;
  const rows = answers.map((answer) => [
    answer.expected === undefined ? '' : answer.ok ? green('✓') : red('✗'),
    answer.caseLine === undefined ? '' : dim(`line ${answer.caseLine}`),
    answer.tool,
    answer.effect,
    answer.decision.decide,
    answer.decision.rule,
    answer.at === undefined ? '' : dim(`${answer.at.file}:${answer.at.line}`),
    answer.ok ? answer.why : `${red(`expected ${expectation(answer)}`)}; ${answer.why}`,
  ]);
  printTable(out, { head: ['', '', 'tool', 'effect', 'decides', 'rule', '', 'why'], rows, empty: '' });
  const differing = answers.filter((answer) => !answer.ok).length;
  const cases = `${answers.length} ${answers.length === 1 ? 'case' : 'cases'}`;
  if (answers.some(({ expected }) => expected !== undefined))
    out.line(
      differing === 0 ? green(`  ✓ ${cases} as expected`) : red(`  ✗ ${differing} of ${cases} differ`),
    );
}

const expectation = ({ expected }: Answer): string =>
  [expected?.decide, expected?.rule].filter(Boolean).join(' by ');
