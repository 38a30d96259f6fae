import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { runPortion } from './run-portion';

const task = z.object({ from: z.number(), seeds: z.number() }).parse(workerData);
void runPortion(task.from, task.seeds).then((portion) => parentPort?.postMessage(portion));
