import { verify } from '@writ/audit';
import {
  sessionStream,
  callStream,
  type AuditFinding,
  type LeaseEndReason,
  type ReadbackEffect,
} from '@writ/contracts';
import { readWhole, type EventStore } from '@writ/runtime';

/** Where a call is staged. */
export async function stagedRevisionOf(
  store: EventStore,
  sessionId: string,
  callId: string,
): Promise<number> {
  const read = await readWhole(store, sessionStream(sessionId));
  const events = read.outcome === 'events' ? read.events : [];
  const staged = events.find((event) => event.type === 'ToolCallStaged' && event.data.callId === callId);
  if (staged === undefined) throw new Error(`call ${callId} is not staged in its session`);
  return staged.revision;
}

/** What is on record of how a call went from one holder to the next. */
export async function successionOf(
  store: EventStore,
  callId: string,
): Promise<{ readonly takeovers: readonly LeaseEndReason[]; readonly readbacks: readonly ReadbackEffect[] }> {
  const read = await readWhole(store, callStream(callId));
  const events = read.outcome === 'events' ? read.events : [];
  return {
    takeovers: events.flatMap((event) =>
      event.type === 'ToolExecutionTakenOver' ? [event.data.holder] : [],
    ),
    readbacks: events.flatMap((event) => (event.type === 'ReadbackRecorded' ? [event.data.effect] : [])),
  };
}

/** What the auditor finds in one session, or in everything that is on record. */
export async function auditFindings(store: EventStore, sessionId?: string): Promise<readonly AuditFinding[]> {
  const verification = await verify(store, { sessionId });
  if (verification.outcome !== 'verified')
    throw new Error(`the record could not be read: ${verification.outcome}`);
  return verification.report.findings;
}
