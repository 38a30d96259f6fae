import type { Bus } from '@writ/runtime';
import type { SimProcess } from './sim-process';

/** A bus as one process has it: what the dead says is not sent, what the frozen is told waits. */
export function wiredBus(bus: Bus, process: SimProcess): Bus {
  const lives = (): boolean => !process.isDead;
  const never = <T>(): Promise<T> => new Promise(() => undefined);
  return {
    wakeExecutor: (pool, wake) => (lives() ? process.answer(bus.wakeExecutor(pool, wake)) : never()),
    wakeApprovals: (wake) => (lives() ? process.answer(bus.wakeApprovals(wake)) : never()),
    consumeExecute: (pool, options) =>
      bus.consumeExecute(pool, {
        free: () => (process.isRunning ? options.free() : 0),
        handle: async (wake) => {
          await process.answer(undefined);
          return process.answer(options.handle(wake));
        },
      }),
    consumeApprovals: (options) =>
      bus.consumeApprovals({
        free: () => (process.isRunning ? options.free() : 0),
        handle: async (wake) => {
          await process.answer(undefined);
          return process.answer(options.handle(wake));
        },
      }),
    notice: (notice) => {
      if (lives()) bus.notice(notice);
    },
    cancel: (cancel) => {
      if (lives()) bus.cancel(cancel);
    },
    onNotice: (listener) => bus.onNotice((notice) => process.hear(() => listener(notice))),
    onCancel: (listener) => bus.onCancel((cancel) => process.hear(() => listener(cancel))),
    connected: () => bus.connected(),
    close: () => bus.close(),
  };
}
