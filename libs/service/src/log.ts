import type { Log, LogFields } from '@writ/runtime';
import pino from 'pino';
import pinoPretty from 'pino-pretty';
import type { LogLevel } from './env';

export interface LogOptions {
  readonly level: LogLevel;
  readonly service: string;
  readonly instance: string;
  /** Where lines go; stdout where nothing is said. Synchronous, so that a killed process has said what it did. */
  readonly stream?: { write(line: string): void };
}

/**
 * JSON lines with the stable word in `event`; on a terminal one readable line each. pino-pretty is used as a stream
 * and not as a transport, which would be a worker thread with a queue that dies unflushed.
 */
export function createLog({ level, service, instance, stream }: LogOptions): Log {
  const options = { level, base: { service, instance }, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = pino(options, stream ?? standardStream());
  return {
    info: (event, fields) => logger.info(line(event, fields)),
    warn: (event, fields) => logger.warn(line(event, fields)),
    error: (event, fields) => logger.error(line(event, fields)),
  };
}

function line(event: string, fields: LogFields): object {
  return { event, ...fields };
}

function standardStream(): { write(line: string): void } {
  if (!process.stdout.isTTY) return pino.destination({ dest: 1, sync: true });
  return pinoPretty({
    sync: true,
    messageKey: 'event',
    ignore: 'pid,hostname,service,instance',
    singleLine: true,
  });
}
