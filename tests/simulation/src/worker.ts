import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { runPortion } from './run-portion';

const taskSchema = z.object({ from: z.number(), seeds: z.number() });

/** One portion after the other: a program that is warm runs them several times as fast, and no run may tell. */
parentPort?.on('message', (message: unknown) => {
  const { from, seeds } = taskSchema.parse(message);
  void runPortion(from, seeds).then((portion) => parentPort?.postMessage(portion));
});
