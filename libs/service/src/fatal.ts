import type { Log } from '@writ/runtime';

/**
 * An error that nobody caught is a bug, and its process in an unknown state: it says so and ends with exit code 1.
 * What it had under way is on record; recovery is the same code as after a crash.
 */
export function writeOnFatal(log: Log): void {
  const end = (kind: string) => (error: unknown) => {
    log.error('fatal', { kind, ...describe(error) });
    process.exit(1);
  };
  process.on('uncaughtException', end('uncaught_exception'));
  process.on('unhandledRejection', end('unhandled_rejection'));
}

function describe(error: unknown): { readonly error: string; readonly stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, ...(error.stack === undefined ? {} : { stack: error.stack }) };
}
