import { controlStream } from '@writ/contracts';
import type { SessionState } from '@writ/protocol';
import { appendSealed } from '../journal/append';
import { readNewest } from '../journal/read';
import { seal, type SealContext } from '../journal/seal';
import { storeAway, type Refused } from './refused';
import type { SessionPorts } from './session-ports';

export interface Interrupted {
  /** False where no turn was open: there was nothing to interrupt. */
  readonly interrupted: boolean;
}

/** Puts the wish on record in the control stream before anybody acts on it; the owner reads it there (protocol 2). */
export async function requestInterrupt(
  ports: SessionPorts,
  session: SessionState,
  context: SealContext,
): Promise<Interrupted | Refused> {
  const { sessionId, turn } = session;
  if (turn?.status !== 'open') return { interrupted: false };
  const stream = controlStream(sessionId);
  const newest = await readNewest(ports.store, stream);
  if (newest.outcome !== 'events' && newest.outcome !== 'not_found') return storeAway();
  const last = newest.outcome === 'events' ? newest.events[0] : undefined;
  const head = {
    stream,
    revision: last?.revision ?? ('no_stream' as const),
    lastDigest: last?.metadata.digest ?? null,
  };
  const data = { sessionId, turnId: turn.turnId, by: 'unauthenticated' };
  const sealed = seal(ports, head, { drafts: [{ type: 'InterruptRequested', data }], context });
  const outcome = await appendSealed(ports.store, sealed);
  if (outcome.outcome !== 'acknowledged') return storeAway();
  ports.bus.notice({ version: 1, sessionId, control: true });
  return { interrupted: true };
}
