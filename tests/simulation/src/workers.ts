import { Worker } from 'node:worker_threads';
import { join } from 'node:path';
import { simulationLimits } from './limits';
import type { Options } from './options';
import type { Portion } from './run-portion';

export interface Task {
  readonly from: number;
  readonly seeds: number;
}

const workerFile = join(__dirname, 'worker.js');

/** All portions in the order of their seeds, whoever ran them; those behind a failing one are left out. */
export async function runAll(
  { seeds, from }: Options,
  onDone: (portion: Portion) => void,
): Promise<Portion[]> {
  const tasks: Task[] = [];
  const { portion } = simulationLimits.seeds;
  for (let at = 0; at < seeds; at += portion)
    tasks.push({ from: from + at, seeds: Math.min(portion, seeds - at) });
  const done: Portion[] = [];
  const work = async (): Promise<void> => {
    const worker = new Worker(workerFile, {
      resourceLimits: { maxYoungGenerationSizeMb: simulationLimits.youngMb },
    });
    for (;;) {
      const task = tasks.shift();
      if (task === undefined) break;
      const ran = await runTask(worker, task);
      done.push(ran);
      onDone(ran);
      if (ran.broken !== undefined) tasks.length = 0;
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: simulationLimits.workers }, work));
  done.sort((a, b) => a.from - b.from);
  const broken = done.findIndex((one) => one.broken !== undefined);
  return broken < 0 ? done : done.slice(0, broken + 1);
}

function runTask(worker: Worker, task: Task): Promise<Portion> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(
        new Error(`a worker ended in seeds ${task.from} to ${task.from + task.seeds - 1}`, { cause: error }),
      );
    worker.once('error', fail);
    worker.once('message', (portion: Portion) => {
      worker.off('error', fail);
      resolve(portion);
    });
    worker.postMessage(task);
  });
}
