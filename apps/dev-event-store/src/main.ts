import { pino } from 'pino';
import { readConfig } from './config';
import { STOP_LIMIT_MS } from './limits';
import { startServer } from './server';

const log = pino({ base: { pid: process.pid } });

/** One line on stderr, then the end. */
function quit(problem: string, code: number): never {
  process.stderr.write(`${problem}\n`);
  process.exit(code);
}

async function main(): Promise<void> {
  const reading = readConfig(process.argv.slice(2));
  if (!reading.ok) return quit(reading.problem, 2);
  const started = await startServer(reading.config, {
    onFatal: (error) => quit(`the log can no longer be written, stopping: ${reasonOf(error)}`, 1),
    onBug: (error) => log.error({ event: 'bug', err: error }),
  });
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main().catch((error: unknown) => quit(`the event store cannot start: ${reasonOf(error)}`, 1));
