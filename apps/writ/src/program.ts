import { transcriptFormatSchema } from '@writ/contracts';
import { Command as Program, CommanderError, InvalidArgumentError, Option } from 'commander';
import { endInstance } from './commands/end-instance';
import { explainCall } from './commands/explain';
import { exportEvents } from './commands/export';
import { listApprovals, listInstances, listSessions, listTools } from './commands/lists';
import { testPolicy, type PolicyTestOptions } from './commands/test-policy';
import { replaySession } from './commands/replay';
import { explainTools, showTools } from './commands/tools';
import { printTranscript, type TranscriptOptions } from './commands/transcript';
import { verifyRecord } from './commands/verify';
import type { Command } from './context';
import { exitCodes, type ExitCode } from './exit-codes';
import { commandLimits } from './limits';

export interface GlobalOptions {
  readonly eventstore?: string;
  readonly json?: boolean;
}

export interface ProgramPorts {
  run(command: Command, options: GlobalOptions): Promise<ExitCode>;
  /** The configuration that is meant where the line names none. */
  readonly configFile: string;
  out(text: string): void;
  err(text: string): void;
}

/** Parses the line, runs what it asks for, and says how that ended. */
export async function runLine(line: readonly string[], ports: ProgramPorts): Promise<ExitCode> {
  let code: ExitCode = exitCodes.good;
  const program = new Program('writ')
    .description('Reads the record of every tool call, proves it, and shows what is open.')
    .option(
      '--eventstore <url>',
      'where the store is (else WRIT_EVENTSTORE_URL, the running stack, the default)',
    )
    .option('--json', 'for programs')
    .exitOverride()
    .configureOutput({ writeOut: ports.out, writeErr: ports.err });
  const run = async (command: Command): Promise<void> => {
    code = await ports.run(command, program.opts<GlobalOptions>());
  };
  addReading(program, run);
  addTools(program, run);
  addAudit(program, run);
  addInstances(program, run);
  addPolicy(program, run, ports.configFile);
  inherit(program);
  try {
    await program.parseAsync([...line], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.good : exitCodes.wrongUsage;
  }
}

type Run = (command: Command) => Promise<void>;

const at = (): Option =>
  new Option('--at <position>', 'as of this log position').argParser((text: string) => {
    if (!/^[0-9]{1,20}$/.test(text)) throw new InvalidArgumentError('A log position is a whole number.');
    return text;
  });

const wholeNumber = (flags: string, description: string): Option =>
  new Option(flags, description).argParser((text: string) => {
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1 on.');
    return Number(text);
  });

function addReading(program: Program, run: Run): void {
  program
    .command('transcript <sessionId>')
    .description('the bytes that HTTP gives')
    .addOption(new Option('--format <format>').choices(transcriptFormatSchema.options).default('canonical'))
    .addOption(at())
    .action((sessionId: string, options: TranscriptOptions) => run(printTranscript(sessionId, options)));
  program
    .command('sessions')
    .description('newest first, with open and doubtful calls')
    .addOption(wholeNumber('--limit <number>', 'how many at most').default(commandLimits.sessions))
    .action((options: { limit: number }) => run(listSessions(options.limit)));
  program
    .command('approvals')
    .description('calls that wait for a person')
    .action(() => run(listApprovals));
}

function addTools(program: Program, run: Run): void {
  const tools = program
    .command('tools')
    .description('what the executors have published')
    .action(() => run(listTools));
  tools
    .command('explain <sessionId>')
    .description('for every known tool, whether the session sees it and why')
    .addOption(at())
    .action((sessionId: string, options: { at?: string }) => run(explainTools(sessionId, options)));
  tools
    .command('shown <sessionId>')
    .description('what the model was shown with one step, made again from the digest that the step recorded')
    .requiredOption('--turn <turnId>')
    .addOption(wholeNumber('--step <number>', 'from 1 on').makeOptionMandatory())
    .action((sessionId: string, { turn: turnId, step }: { turn: string; step: number }) =>
      run(showTools(sessionId, { turnId, step })),
    );
}

function addAudit(program: Program, run: Run): void {
  const audit = program.command('audit').description('proves the record, replays, exports and explains it');
  audit
    .command('verify')
    .description('rules A1 to A10 over the log; exit 1 where one is broken')
    .option('--session <id>', 'one session alone')
    .action((options: { session?: string }) => run(verifyRecord(options.session)));
  audit
    .command('replay <sessionId>')
    .description('folds a session from zero in several ways and compares the bytes')
    .addOption(at())
    .action((sessionId: string, options: { at?: string }) => run(replaySession(sessionId, options)));
  audit
    .command('export')
    .description('recorded events as JSON lines, in log order')
    .option('--session <id>', 'one session alone')
    .action((options: { session?: string }) => run(exportEvents(options.session)));
  audit
    .command('explain <callId>')
    .description('what happened to one call')
    .action((callId: string) => run(explainCall(callId)));
}

function addInstances(program: Program, run: Run): void {
  const instances = program
    .command('instances')
    .description('who has started, and what their leases say')
    .action(() => run(listInstances));
  instances
    .command('end <name>')
    .description('declares a dead instance dead, so that others need not wait for its lease')
    .requiredOption('--gone', 'its process and its tools are known to have ended')
    .action((name: string) => run(endInstance(name)));
}

function addPolicy(program: Program, run: Run, configFile: string): void {
  const policy = program
    .command('policy')
    .description('what a configuration says of calls; nothing ever runs');
  policy
    .command('test [cases]')
    .description(
      'a YAML file of cases, or one call of the line; exit 1 where an answer is not the expected one',
    )
    .option('--config <file>', 'whose policy', configFile)
    .option('--tool <name>', 'the tool of the call')
    .option('--effect <class>', 'its effect class (else the one on record in the store)')
    .option('--args <json>', 'its arguments')
    .option('--platform <name>', 'the platform of its session')
    .option('--metadata <json>', 'the metadata of its session')
    .option('--expect <decision>', 'allow, ask or refuse')
    .option('--rule <rule>', 'the rule expected to decide, as policy[0] or policy:none')
    .action((cases: string | undefined, options: PolicyTestOptions) => run(testPolicy(cases, options)));
}

/** What holds for the whole line holds for every command of it. */
function inherit(program: Program): void {
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    inherit(command);
  }
}
