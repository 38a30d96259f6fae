import { controlStream } from '@writ/contracts';
import type { SessionState, TurnState } from '@writ/protocol';
import { appendSealed } from '../journal/append';
import { readNewest } from '../journal/read';
import { seal, type SealContext } from '../journal/seal';
import { runtimeLimits } from '../limits';
import { storeAway, type Refused } from './refused';
import type { SessionPorts } from './session-ports';

export interface Interrupted {
  /** False where no turn was open: there was nothing to interrupt. */
  readonly interrupted: boolean;
}

type Ports = Pick<SessionPorts, 'store' | 'clock' | 'entropy'> & {
  readonly bus: Pick<SessionPorts['bus'], 'notice'>;
};
type Session = Pick<SessionState, 'sessionId'> & {
  readonly turn: Pick<TurnState, 'turnId' | 'status'> | null;
};

/**
 * Puts the wish on record in the control stream before anybody acts on it; the owner reads it there (protocol 2). Who
 * finds that another has just wished for the same has what it came for.
 */
export async function requestInterrupt(
  ports: Ports,
  { sessionId, turn }: Session,
  context: SealContext,
): Promise<Interrupted | Refused> {
  if (turn?.status !== 'open') return { interrupted: false };
  for (let tries = 0; tries < runtimeLimits.interruptTries; tries += 1) {
    const outcome = await wishOnce(ports, { sessionId, turnId: turn.turnId, by: 'unauthenticated' }, context);
    if (outcome === 'conflict') continue;
    if (outcome === 'store_away') return storeAway();
    ports.bus.notice({ version: 1, sessionId, control: true });
    return { interrupted: true };
  }
  return storeAway();
}

interface Wish {
  readonly sessionId: string;
  readonly turnId: string;
  readonly by: string;
}

async function wishOnce(
  ports: Ports,
  wish: Wish,
  context: SealContext,
): Promise<'on_record' | 'conflict' | 'store_away'> {
  const stream = controlStream(wish.sessionId);
  const newest = await readNewest(ports.store, stream);
  if (newest.outcome !== 'events' && newest.outcome !== 'not_found') return 'store_away';
  const last = newest.outcome === 'events' ? newest.events[0] : undefined;
  if (last?.type === 'InterruptRequested' && last.data.turnId === wish.turnId) return 'on_record';
  const head = {
    stream,
    revision: last?.revision ?? ('no_stream' as const),
    lastDigest: last?.metadata.digest ?? null,
  };
  const sealed = seal(ports, head, { drafts: [{ type: 'InterruptRequested', data: wish }], context });
  const outcome = await appendSealed(ports.store, sealed);
  if (outcome.outcome === 'conflict') return 'conflict';
  return outcome.outcome === 'acknowledged' ? 'on_record' : 'store_away';
}
