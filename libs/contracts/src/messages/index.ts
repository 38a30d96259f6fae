/** What travels over NATS: wake-ups and hints, never facts (protocol 6). */
import { z } from 'zod';
import { idSchema, revisionSchema, traceparentSchema } from '../primitives';

/** `writ.execute.<pool>` and `writ.approve`: look at this call. */
export const wakeSchema = z.object({
  version: z.literal(1).default(1),
  sessionId: idSchema,
  callId: idSchema,
  stagedRevision: revisionSchema,
  traceparent: traceparentSchema.optional(),
});
/** `writ.notice.<sessionId>`: call X is at revision r. */
export const noticeSchema = z.object({
  version: z.literal(1).default(1),
  sessionId: idSchema,
  callId: idSchema,
  revision: revisionSchema,
});
/** `writ.notice.<sessionId>` as well: the session's control stream has a new request. */
export const controlNoticeSchema = z.object({
  version: z.literal(1).default(1),
  sessionId: idSchema,
  control: z.literal(true),
});
/** `writ.cancel.<callId>`: hurry, stop. */
export const cancelSchema = z.object({
  version: z.literal(1).default(1),
  callId: idSchema,
  reason: z.enum(['round_deadline', 'interrupt']),
});

export type Wake = z.infer<typeof wakeSchema>;
export type Notice = z.infer<typeof noticeSchema>;
export type ControlNotice = z.infer<typeof controlNoticeSchema>;
export type Cancel = z.infer<typeof cancelSchema>;

export const commandsStreamName = 'WRIT_COMMANDS';
export const executeSubject = (pool: string): string => `writ.execute.${pool}`;
export const approveSubject = 'writ.approve';
export const noticeSubject = (sessionId: string): string => `writ.notice.${sessionId}`;
export const cancelSubject = (callId: string): string => `writ.cancel.${callId}`;
/** Subjects that the work-queue stream keeps. */
export const commandSubjects = ['writ.execute.*', approveSubject] as const;
