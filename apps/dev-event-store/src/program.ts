import { pino } from 'pino';
import { readConfig } from './config';
import { STOP_LIMIT_MS } from './limits';
import { type ServerHooks, startServer } from './server';

/**
 * The program: reads the command line, serves until SIGTERM or SIGINT, ends the process.
 * Exit codes: 0 stopped in order, 1 cannot start or can no longer write, 2 wrong usage; one line on stderr says why.
 * When it is ready it prints one JSON line with its process id and ports on stdout.
 */
export async function runProgram(argv: readonly string[], openDisk?: ServerHooks['openDisk']): Promise<void> {
  const log = pino({ base: { pid: process.pid } });
  const reading = readConfig(argv);
  if (!reading.ok) return quit(reading.problem, 2);
  const started = await startServer(reading.config, {
    openDisk,
    onFatal: (error) => quit(`the log can no longer be written, stopping: ${reasonOf(error)}`, 1),
    onBug: (error) => log.error({ event: 'bug', err: error }),
  }).catch((error: unknown) => quit(`the event store cannot start: ${reasonOf(error)}`, 1));
  if (!started.ok) return quit(started.problem, 1);

  const { server } = started;
  if (server.cutBytes > 0) log.warn({ event: 'torn_tail_cut', bytes: server.cutBytes });
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info({ event: 'stopping', signal });
    setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref();
    void server.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  log.info({ event: 'ready', port: server.port, faultPort: server.faultPort });
}

/** One line on stderr, then the end. */
function quit(problem: string, code: number): never {
  process.stderr.write(`${problem}\n`);
  process.exit(code);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
