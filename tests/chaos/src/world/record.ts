import { verify } from '@writ/audit';
import { sessionStream, type AuditFinding } from '@writ/contracts';
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

/** What the auditor finds in one session, or in everything that is on record. */
export async function auditFindings(store: EventStore, sessionId?: string): Promise<readonly AuditFinding[]> {
  const verification = await verify(store, { sessionId });
  if (verification.outcome !== 'verified')
    throw new Error(`the record could not be read: ${verification.outcome}`);
  return verification.report.findings;
}
