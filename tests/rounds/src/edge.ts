import type { Wake } from '@writ/contracts';
import type { Bus, Clock, Entropy, InstanceProbe, Log } from '@writ/runtime';

/** Longer sleeps than this only end by their signal, milliseconds: nothing of a round waits for them. */
const longestPauseMs = 499;

/** A clock that stands still: short pauses are over at once, long ones never. */
export const stillClock: Clock = {
  wallMs: () => 1_767_225_600_000,
  monotonicMs: () => 1_000_000,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true || ms <= longestPauseMs) setImmediate(resolve);
      else signal?.addEventListener('abort', () => resolve(), { once: true });
    }),
};

export function countingEntropy(): Entropy {
  let count = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
    random: () => 0,
  };
}

/** Keeps what went wrong; a round in which anything did has failed. */
export function errorLog(): Log & { readonly errors: string[]; readonly failed: AbortSignal } {
  const errors: string[] = [];
  const failing = new AbortController();
  return {
    errors,
    failed: failing.signal,
    info: () => undefined,
    warn: () => undefined,
    error: (event, fields) => {
      errors.push(`${event} ${JSON.stringify(fields)}`);
      failing.abort();
    },
  };
}

export const alive: InstanceProbe = { probe: () => Promise.resolve('alive') };

export interface Ears {
  execute(wake: Wake): void;
  approve(wake: Wake): void;
  notice: Parameters<Bus['onNotice']>[0];
}

/** Hands everything on at once, in the same process. */
export function directBus(ears: () => Ears): Bus {
  const hand = (wake: (ears: Ears) => void): Promise<'published'> => {
    setImmediate(() => wake(ears()));
    return Promise.resolve('published');
  };
  return {
    wakeExecutor: (_pool, wake) => hand((to) => to.execute(wake)),
    wakeApprovals: (wake) => hand((to) => to.approve(wake)),
    consumeExecute: () => ({ drain: () => Promise.resolve() }),
    consumeApprovals: () => ({ drain: () => Promise.resolve() }),
    notice: (notice) => ears().notice(notice),
    cancel: () => undefined,
    onNotice: () => () => undefined,
    onCancel: () => () => undefined,
    connected: () => true,
    close: () => Promise.resolve(),
  };
}
