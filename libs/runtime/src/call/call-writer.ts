import { callStream, type WritEvent } from '@writ/contracts';
import { decideCall, evolveCall, type CallCommand, type CallRejection, type CallState } from '@writ/protocol';
import { appendSealed } from '../journal/append';
import { seal, type SealContext, type SealedAppend } from '../journal/seal';
import { runtimeLimits } from '../limits';
import type { Clock, CrashPoint, CrashPoints, Entropy, EventStore, Log } from '../ports';
import { backoffMs } from '../backoff';
import { loadStaged } from './load-call';

export type CallWrite =
  /** It is on record and the newest of the stream; `events` are what was written. */
  | { readonly result: 'stands'; readonly state: CallState; readonly events: readonly WritEvent[] }
  /** Another writer was first, or has moved on since: `state` is how the call stands now. */
  | { readonly result: 'overtaken'; readonly state: CallState }
  | { readonly result: 'not_allowed'; readonly code: CallRejection | string }
  /** Only with `patience: 'one_try'`: nobody knows, or it is too large to be stored. */
  | { readonly result: 'unresolved'; readonly cause: string };

export interface CallWriterPorts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
  readonly crash: CrashPoints;
}

export interface WriteOptions {
  readonly command: CallCommand;
  readonly context: SealContext;
  /** `until_known` repeats the same bytes until the outcome is known (R10: no claim and no result is forgotten). */
  readonly patience: 'until_known' | 'one_try';
  /** Passed while the append is under way. */
  readonly inFlight?: CrashPoint;
}

/** The one write path of a call's stream: decide, append at the revision read, look again where doubt is left. */
export async function writeCall(
  ports: CallWriterPorts,
  state: CallState,
  options: WriteOptions,
): Promise<CallWrite> {
  const decision = decideCall(state, options.command);
  if (decision.kind === 'rejected') return { result: 'not_allowed', code: decision.code };
  if (decision.kind === 'ignored') return { result: 'not_allowed', code: decision.reason };
  const head = { stream: callStream(state.callId), revision: state.revision, lastDigest: state.lastDigest };
  const sealed = seal(ports, head, { drafts: decision.events, context: options.context });
  const write = await appendUntilKnown(ports, state, { ...options, sealed });
  // Late evidence takes nothing from whoever holds the call (A5): what was decided still is to be written, behind it.
  return write.result === 'overtaken' && isAsBefore(state, write.state)
    ? writeCall(ports, write.state, options)
    : write;
}

/** Only late evidence has come since; the core keeps a bounded number of it per call, so this ends. */
const isAsBefore = (before: CallState, now: CallState): boolean =>
  now.late.length > before.late.length &&
  revisionOf(now) - revisionOf(before) === now.late.length - before.late.length;

const revisionOf = ({ revision }: CallState): number => (revision === 'no_stream' ? -1 : revision);

async function appendUntilKnown(
  ports: CallWriterPorts,
  state: CallState,
  options: WriteOptions & { readonly sealed: SealedAppend },
): Promise<CallWrite> {
  const { sealed } = options;
  for (let tries = 0; ; tries += 1) {
    const appending = appendSealed(ports.store, sealed);
    if (options.inFlight !== undefined) ports.crash.pass(options.inFlight, appending);
    const outcome = await appending;
    if (outcome.outcome === 'acknowledged' && !outcome.repeated) {
      return { result: 'stands', state: outcome.events.reduce(evolveCall, state), events: outcome.events };
    }
    if (outcome.outcome === 'refused') return { result: 'unresolved', cause: outcome.cause };
    if (outcome.outcome !== 'unknown') {
      const settled = await whoIsLast(ports, state, sealed);
      if (settled !== undefined) return settled;
    }
    if (options.patience === 'one_try') return { result: 'unresolved', cause: 'store_unavailable' };
    ports.log.warn('append_unresolved', { callId: state.callId, tries: tries + 1 });
    await ports.clock.sleep(
      backoffMs(
        tries,
        { firstMs: runtimeLimits.retryFirstMs, longestMs: runtimeLimits.retryLongestMs },
        ports.entropy,
      ),
    );
  }
}

const isEvidence = ({ type }: WritEvent): boolean =>
  type === 'LateResultRecorded' || type === 'LateDecisionRecorded';

/** *Was written* is not *still holds*: the stream is read, and only an own event at its end stands (protocol 5), late evidence behind it excepted (A5). */
async function whoIsLast(
  ports: CallWriterPorts,
  state: CallState,
  sealed: SealedAppend,
): Promise<CallWrite | undefined> {
  const loaded = await loadStaged(ports.store, state.staged);
  if (loaded.outcome !== 'call') return undefined;
  const ownLast = sealed.events.at(-1)?.id;
  const own = loaded.events.filter((event) => sealed.events.some(({ id }) => id === event.id));
  const last = [loaded.events.at(-1), loaded.events.findLast((event) => !isEvidence(event))];
  return ownLast !== undefined && last.some((event) => event?.id === ownLast)
    ? { result: 'stands', state: loaded.state, events: own }
    : { result: 'overtaken', state: loaded.state };
}
