import { z } from 'zod';
import {
  digestSchema,
  instanceIdSchema,
  revisionSchema,
  serviceSchema,
  timeSchema,
  traceparentSchema,
} from '../primitives';

/** Who wrote an event. An instance that has no incarnation yet (its own `InstanceStarted`) leaves `instance` out. */
export const actorSchema = z.object({
  service: serviceSchema.or(z.literal('writ')),
  instance: instanceIdSchema.optional(),
  /** The epoch under which the writer acted: of the session for an owner, of the call for an executor. */
  epoch: revisionSchema.optional(),
  person: z.string().optional(),
});

/**
 * Metadata of every event (protocol 2). `digest` covers id, stream, revision, type, data and this metadata without
 * `digest` itself; `predecessor` is the digest of the event before it in the stream, of the staged event for a call
 * stream's first, and null at the beginning of every other stream.
 */
export const metadataSchema = z.object({
  $correlationId: z.string(),
  $causationId: z.string().optional(),
  schemaVersion: z.literal(1),
  at: timeSchema,
  actor: actorSchema,
  traceparent: traceparentSchema.optional(),
  predecessor: digestSchema.nullable(),
  digest: digestSchema,
});

export type Actor = z.infer<typeof actorSchema>;
export type EventMetadata = z.infer<typeof metadataSchema>;
