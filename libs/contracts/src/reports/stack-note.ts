import { z } from 'zod';

/** `.writ/stack.json`, which a running stack leaves for others: what `npm run up -- --json` says when all is ready, and its pid. */
export const stackNoteSchema = z.looseObject({ pid: z.number().int().positive(), eventstore: z.string() });
export type StackNote = z.infer<typeof stackNoteSchema>;
