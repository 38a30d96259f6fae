import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { bite } from './bite';
import { makeMutatedCopy } from './mutated-copy';
import { readMutations } from './mutation';
import type { Answer } from './lane';

const trialSchema = z.object({
  mutation: z.string(),
  from: z.number(),
  seeds: z.number(),
  withFaults: z.boolean(),
});

parentPort?.on('message', (trial: unknown) => void carryOut(trial));

async function carryOut(trial: unknown): Promise<void> {
  const { mutation: name, ...seeds } = trialSchema.parse(trial);
  const mutation = readMutations().find((each) => each.name === name);
  if (mutation === undefined) throw new Error(`there is no mutation ${name}`);
  const copy = makeMutatedCopy(mutation);
  const answer: Answer = await bite(copy, seeds).finally(() => copy.remove());
  parentPort?.postMessage(answer);
}
