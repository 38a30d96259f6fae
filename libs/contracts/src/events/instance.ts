/** Events of `instance-…`, `lease-…`, `toolcatalog-…` and `control-…` streams. */
import { z } from 'zod';
import {
  concurrencySchema,
  digestSchema,
  effectClassSchema,
  idSchema,
  instanceIdSchema,
  instanceNameSchema,
  jsonSchema,
  leaseEndReasonSchema,
  poolSchema,
  serviceSchema,
  toolNameSchema,
} from '../primitives';

export const instanceStartedSchema = z.object({
  service: serviceSchema,
  name: instanceNameSchema,
  version: z.string(),
  /** `bootId` tells one run of a host from the next: sockets prove nothing across a reboot or another host. */
  host: z.object({ name: z.string(), bootId: z.string() }),
  pid: z.number().int().positive(),
  /** Unix sockets that a killed process refuses and a frozen one accepts (protocol 7). */
  sockets: z.object({ process: z.string(), toolHost: z.string().optional() }),
  pool: poolSchema.optional(),
  slots: z.number().int().positive().optional(),
});

export const leaseRenewedSchema = z.object({
  instance: instanceIdSchema,
  ttlMs: z.number().int().positive(),
});
export const leaseEndedSchema = z.object({
  instance: instanceIdSchema,
  reason: leaseEndReasonSchema,
  /** Who ended it: an instance id, or `operator`. */
  by: z.string(),
});

/** One tool as its executors publish it: data only, JSON Schema 2020-12 for its input. */
export const toolDefinitionSchema = z.object({
  name: toolNameSchema,
  description: z.string(),
  inputSchema: z.record(z.string(), jsonSchema),
  effectClass: effectClassSchema,
  concurrency: concurrencySchema,
  timeoutMs: z.number().int().positive(),
  fenced: z.boolean(),
  delegate: z.boolean(),
  version: z.string(),
});
export const publishedToolSchema = toolDefinitionSchema.extend({
  /** SHA-256 over RFC 8785 of the definition. */
  definitionDigest: digestSchema,
  hasReadback: z.boolean(),
  hasCheck: z.boolean(),
});
export const toolManifestPublishedSchema = z.object({
  pool: poolSchema,
  digest: digestSchema,
  tools: z.array(publishedToolSchema),
});

export const interruptRequestedSchema = z.object({
  turnId: idSchema,
  sessionId: idSchema,
  by: z.string(),
  reason: z.string().optional(),
});

export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;
export type PublishedTool = z.infer<typeof publishedToolSchema>;
