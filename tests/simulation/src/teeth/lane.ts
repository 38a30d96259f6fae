import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { simulationLimits } from '../limits';
import type { Bite } from './bite';
import { root } from './mutation';

export interface Trial {
  readonly mutation: string;
  readonly from: number;
  readonly seeds: number;
  readonly withFaults: boolean;
}
export type Answer = Bite | undefined;

const workerFile = join(root, 'tests/simulation/dist/teeth/teeth-worker.js');

/** A thread that tries one mutation after another; it is ended where a bug has made it run for ever. */
class Lane {
  readonly #worker = new Worker(workerFile);

  try(trial: Trial): Promise<Answer> {
    const { threadMs, seedMs } = simulationLimits.teeth;
    const mostMs = threadMs + trial.seeds * seedMs;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(new Error(`${trial.mutation}: ${error.message}`, { cause: error }));
      };
      const timer = setTimeout(() => fail(new Error(`did not end within ${mostMs} ms`)), mostMs);
      this.#worker.removeAllListeners();
      this.#worker.once('error', fail);
      this.#worker.once('message', (answer: Answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#worker.postMessage(trial);
    });
  }

  async close(): Promise<void> {
    this.#worker.removeAllListeners();
    await this.#worker.terminate();
  }
}

/** Does a job for each item in turn, in as many lanes as there are workers; the results in the items' order. */
export async function inLanes<T, R>(
  items: readonly T[],
  job: (lane: Pick<Lane, 'try'>, item: T) => Promise<R>,
): Promise<R[]> {
  const waiting = [...items.entries()];
  const results: R[] = [];
  const work = async (): Promise<void> => {
    const lane = new Lane();
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        results[next[0]] = await job(lane, next[1]);
    } finally {
      await lane.close();
    }
  };
  await Promise.all(Array.from({ length: simulationLimits.workers }, work));
  return results;
}
