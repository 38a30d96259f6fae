/** The local file of the open-work projection. It may be deleted at any time; rebuilt from zero it is the same. */
import { z } from 'zod';
import {
  effectClassSchema,
  idSchema,
  instanceIdSchema,
  positionSchema,
  revisionSchema,
  timeSchema,
} from '../primitives';

/** Where a person stands with a call that asks for one; absent where nobody is or was asked. */
const askedSchema = z.object({
  /** Absent while the approval-service has not put the question on record. */
  requested: z.object({ at: timeSchema, deadline: timeSchema }).optional(),
  granted: z.boolean(),
});

/** A staged call without a result. */
export const openCallSchema = z.object({
  callId: idSchema,
  turnId: idSchema,
  step: z.number().int().positive(),
  segment: z.number().int().nonnegative(),
  stagedRevision: revisionSchema,
  stagedAt: timeSchema,
  stagedPosition: positionSchema,
  tool: z.string().nullable(),
  effectClass: effectClassSchema.optional(),
  /** Last revision of the call's own stream; absent while it has none. */
  revision: revisionSchema.optional(),
  asked: askedSchema.optional(),
  /** The newest claim or takeover; `doubtSince` says since when its effect is in doubt. */
  holder: z
    .object({ instance: instanceIdSchema, epoch: revisionSchema, doubtSince: timeSchema.optional() })
    .optional(),
  held: z.object({ at: timeSchema, deadline: timeSchema, epoch: revisionSchema }).optional(),
});

export const sessionWorkSchema = z.object({
  sessionId: idSchema,
  openedAt: timeSchema,
  lastEventAt: timeSchema,
  /** Who holds the session; absent once released. */
  lease: z.object({ instance: instanceIdSchema, epoch: revisionSchema }).optional(),
  turn: z.object({ turnId: idSchema, startedAt: timeSchema }).optional(),
  calls: z.array(openCallSchema),
  settledCalls: z.number().int().nonnegative(),
});

/** Entries by id in a fixed number of shelves and buckets, so that a change copies one of each and not the whole. */
const byIdOf = <T extends z.ZodType>(entry: T) => z.array(z.array(z.record(z.string(), entry)));

export const workStateSchema = z.object({
  /** Log position of the last event that it holds. */
  position: positionSchema,
  /** Session ids, oldest first. */
  order: z.array(idSchema),
  /** Sessions with an open turn, an open call, or an owner that has not released them. */
  open: byIdOf(sessionWorkSchema),
  idle: byIdOf(sessionWorkSchema),
});

export type OpenCallWork = z.infer<typeof openCallSchema>;
export type SessionWork = z.infer<typeof sessionWorkSchema>;
export type WorkState = z.infer<typeof workStateSchema>;
