import { sessionStream, type WritEvent } from '@writ/contracts';
import {
  decideSession,
  evolveSession,
  type SessionCommand,
  type SessionRejection,
  type SessionState,
} from '@writ/protocol';
import type { CallWriterPorts } from '../call/call-writer';
import { appendSealed } from '../journal/append';
import { readWhole } from '../journal/read';
import { seal, type SealContext, type SealedAppend } from '../journal/seal';
import type { CrashPoint, StoreCause } from '../ports';

export type SessionWrite =
  /** On record, and the newest of the stream. */
  | { readonly result: 'stands'; readonly state: SessionState; readonly events: readonly WritEvent[] }
  /** The stream has moved on without or since this append: read it again. */
  | { readonly result: 'overtaken' }
  | { readonly result: 'rejected'; readonly code: SessionRejection }
  | { readonly result: 'ignored'; readonly reason: string }
  /** Nobody knows; `sealed` is what may be there. */
  | { readonly result: 'unknown'; readonly cause: StoreCause; readonly sealed: SealedAppend }
  | { readonly result: 'too_large' };

export interface SessionWriteOptions {
  readonly command: SessionCommand;
  readonly context: SealContext;
  readonly inFlight?: CrashPoint;
}

/** The one write path of a session's stream: decide, append at the revision read or written. */
export async function writeSession(
  ports: CallWriterPorts,
  state: SessionState,
  { command, context, inFlight }: SessionWriteOptions,
): Promise<SessionWrite> {
  const decision = decideSession(state, command);
  if (decision.kind === 'rejected') return { result: 'rejected', code: decision.code };
  if (decision.kind === 'ignored') return { result: 'ignored', reason: decision.reason };
  const sealed = seal(ports, headOf(state), { drafts: decision.events, context });
  return appendToSession(ports, state, { sealed, inFlight });
}

/** Appends, or repeats, what is already sealed. */
export async function appendToSession(
  ports: CallWriterPorts,
  state: SessionState,
  { sealed, inFlight }: { readonly sealed: SealedAppend; readonly inFlight?: CrashPoint | undefined },
): Promise<SessionWrite> {
  const appending = appendSealed(ports.store, sealed);
  if (inFlight !== undefined) ports.crash.pass(inFlight, appending);
  const outcome = await appending;
  switch (outcome.outcome) {
    case 'refused':
      return { result: 'too_large' };
    case 'conflict':
      return { result: 'overtaken' };
    case 'unknown':
      return { result: 'unknown', cause: outcome.cause, sealed };
    case 'acknowledged':
      if (outcome.repeated) {
        const last = await lastBehind(ports, sealed);
        if (last.outcome === 'not_known') return { result: 'unknown', cause: last.cause, sealed };
        if (last.id !== sealed.events.at(-1)?.id) return { result: 'overtaken' };
      }
      return { result: 'stands', state: outcome.events.reduce(evolveSession, state), events: outcome.events };
  }
}

type LastBehind =
  | { readonly outcome: 'known'; readonly id: string | undefined }
  | { readonly outcome: 'not_known'; readonly cause: StoreCause };

/**
 * What stands last behind the head that was appended to: *was written* is not *still holds*, and a read that gives
 * nothing says neither (protocol 5).
 */
async function lastBehind(ports: CallWriterPorts, { head }: SealedAppend): Promise<LastBehind> {
  const { stream, revision } = head;
  const read = await readWhole(ports.store, stream, revision === 'no_stream' ? 0 : revision + 1);
  switch (read.outcome) {
    case 'events':
      return { outcome: 'known', id: read.events.at(-1)?.id };
    case 'damaged':
      return { outcome: 'known', id: undefined };
    case 'unavailable':
      return { outcome: 'not_known', cause: read.cause };
    case 'not_found':
      return { outcome: 'not_known', cause: 'store_unavailable' };
  }
}

export const headOf = (state: SessionState) => ({
  stream: sessionStream(state.sessionId),
  revision: state.revision,
  lastDigest: state.lastDigest,
});
