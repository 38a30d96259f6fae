import type { Log } from '@writ/runtime';
import { serviceLimits } from './limits';

export interface ShutdownStep {
  readonly name: string;
  readonly run: () => unknown;
  /** Of the whole time, how much this step may take; then the next one begins. Milliseconds. */
  readonly timeoutMs?: number;
}

export interface ShutdownOptions {
  readonly log: Log;
  /** For all steps together, in milliseconds; then the process ends with exit code 1. */
  readonly timeoutMs?: number;
  readonly exit?: (code: number) => void;
}

export interface Shutdown {
  /** Starts the same procedure without a signal; further calls and signals change nothing. */
  begin(reason: string): Promise<void>;
}

/**
 * On SIGTERM or SIGINT: the steps one after the other (stop taking work, let it finish, release, close), then exit.
 * A step that fails or takes too long is logged and does not keep the next one from running. Exit code 0 if all went well.
 */
export function onShutdown(steps: readonly ShutdownStep[], options: ShutdownOptions): Shutdown {
  const { log, timeoutMs = serviceLimits.shutdownMs, exit = (code) => process.exit(code) } = options;
  let running: Promise<void> | undefined;
  const begin = (reason: string): Promise<void> => {
    running ??= (async () => {
      log.info('shutdown_began', { reason });
      const isClean = await within(timeoutMs, runSteps(steps, log, timeoutMs));
      log.info('shutdown_ended', { clean: isClean === true });
      exit(isClean === true ? 0 : 1);
    })();
    return running;
  };
  process.on('SIGTERM', (signal) => void begin(signal));
  process.on('SIGINT', (signal) => void begin(signal));
  return { begin };
}

/** Whether every step ended well and in time. */
async function runSteps(steps: readonly ShutdownStep[], log: Log, timeoutMs: number): Promise<boolean> {
  let isClean = true;
  for (const step of steps) {
    const outcome = await within(step.timeoutMs ?? timeoutMs, attempt(step));
    if (outcome === true) continue;
    isClean = false;
    log.warn('shutdown_step_failed', { step: step.name, why: outcome === undefined ? 'timeout' : 'error' });
  }
  return isClean;
}

async function attempt(step: ShutdownStep): Promise<boolean> {
  try {
    await step.run();
    return true;
  } catch {
    return false;
  }
}

/** The result, or undefined once the time is up. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
