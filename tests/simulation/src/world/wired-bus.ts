import type { Bus, ConsumeOptions, PublishOutcome } from '@writ/runtime';
import { simulationLimits } from '../limits';
import type { Scheduler } from './scheduler';
import type { SimProcess } from './sim-process';

export interface WiredBus extends Bus {
  /** Cut off from the broker, or connected again. */
  setCut(cut: boolean): void;
}

/** A bus as one process has it: what the dead says is not sent, what the frozen says or is told waits. */
export function wiredBus(bus: Bus, process: SimProcess, scheduler: Scheduler): WiredBus {
  let isCut = false;
  const publish = async (send: () => Promise<PublishOutcome>): Promise<PublishOutcome> => {
    if (process.isDead) return new Promise(() => undefined);
    if (process.isFrozen) await process.leave();
    return process.answer(isCut ? unheard() : send());
  };
  const unheard = async (): Promise<PublishOutcome> => {
    await scheduler.sleep(simulationLimits.publishMs);
    return 'unknown';
  };
  const consumed = (options: ConsumeOptions): ConsumeOptions => ({
    free: () => (process.isRunning && !isCut ? options.free() : 0),
    handle: async (wake) => {
      await process.answer(undefined);
      return process.answer(options.handle(wake));
    },
  });
  const say = (send: () => void): void =>
    process.hear(() => {
      if (!isCut) send();
    });
  const heard = (listen: () => void): void => {
    if (!isCut) process.hear(listen);
  };
  return {
    setCut: (cut) => {
      isCut = cut;
    },
    wakeExecutor: (pool, wake) => publish(() => bus.wakeExecutor(pool, wake)),
    wakeApprovals: (wake) => publish(() => bus.wakeApprovals(wake)),
    consumeExecute: (pool, options) => bus.consumeExecute(pool, consumed(options)),
    consumeApprovals: (options) => bus.consumeApprovals(consumed(options)),
    notice: (notice) => say(() => bus.notice(notice)),
    cancel: (cancel) => say(() => bus.cancel(cancel)),
    onNotice: (listener) => bus.onNotice((notice) => heard(() => listener(notice))),
    onCancel: (listener) => bus.onCancel((cancel) => heard(() => listener(cancel))),
    connected: () => !isCut && bus.connected(),
    close: () => bus.close(),
  };
}
