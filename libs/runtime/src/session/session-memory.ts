import { callStream, sessionStream, type WritEvent } from '@writ/contracts';
import {
  callFromStaged,
  emptyTranscript,
  evolveCall,
  foldSession,
  foldTranscript,
  type CallState,
  type SessionState,
  type TranscriptState,
} from '@writ/protocol';
import { loadStaged } from '../call/load-call';
import { readWhole } from '../journal/read';
import type { EventStore } from '../ports';

export type LoadedSession =
  | { readonly outcome: 'session'; readonly memory: SessionMemory }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'unavailable' }
  | { readonly outcome: 'damaged'; readonly problem: string };

/** One session as its streams tell it: the deciding folds and the transcript, fed by the same events. */
export class SessionMemory {
  private constructor(
    public session: SessionState,
    public transcript: TranscriptState,
    readonly calls: Map<string, CallState>,
  ) {}

  static async load(store: EventStore, sessionId: string): Promise<LoadedSession> {
    const read = await readWhole(store, sessionStream(sessionId));
    if (read.outcome !== 'events') return read;
    const [first] = read.events;
    if (first?.type !== 'SessionOpened')
      return { outcome: 'damaged', problem: `${sessionStream(sessionId)}@0: opens no session` };
    const transcript = read.events.reduce(foldTranscript, emptyTranscript());
    const memory = new SessionMemory(foldSession(read.events), transcript, new Map());
    for (const { staged, settledInSession } of memory.session.calls.values()) {
      if (settledInSession !== undefined) {
        memory.calls.set(staged.data.callId, callFromStaged(staged, settledInSession));
        continue;
      }
      const loaded = await loadStaged(store, staged);
      if (loaded.outcome === 'untrue') return { outcome: 'damaged', problem: loaded.problem };
      if (loaded.outcome !== 'call') return { outcome: 'unavailable' };
      memory.calls.set(loaded.state.callId, loaded.state);
      memory.transcript = loaded.events.reduce(foldTranscript, memory.transcript);
    }
    return { outcome: 'session', memory };
  }

  /** Everything anew, as it has just been read. */
  replaceWith(other: SessionMemory): void {
    this.session = other.session;
    this.transcript = other.transcript;
    this.calls.clear();
    for (const [callId, call] of other.calls) this.calls.set(callId, call);
  }

  /** Takes in what this owner has just written to the session's stream. */
  wrote(state: SessionState, events: readonly WritEvent[]): void {
    this.session = state;
    this.transcript = events.reduce(foldTranscript, this.transcript);
    for (const { staged, settledInSession } of state.calls.values()) {
      if (!this.calls.has(staged.data.callId))
        this.calls.set(staged.data.callId, callFromStaged(staged, settledInSession));
    }
  }

  /** Takes in what is new in a call's stream; answers whether anything was, undefined where the store did not answer. */
  async refreshCall(store: EventStore, callId: string): Promise<boolean | undefined> {
    const known = this.calls.get(callId);
    if (known === undefined || known.status === 'settled') return false;
    const read = await readWhole(
      store,
      callStream(callId),
      known.revision === 'no_stream' ? 0 : known.revision + 1,
    );
    if (read.outcome === 'not_found') return false;
    if (read.outcome !== 'events') return undefined;
    const [first] = read.events;
    if (first === undefined) return false;
    if (first.metadata.predecessor !== known.lastDigest) return undefined;
    this.calls.set(callId, read.events.reduce(evolveCall, known));
    this.transcript = read.events.reduce(foldTranscript, this.transcript);
    return true;
  }

  openCalls(): readonly CallState[] {
    return [...this.calls.values()].filter((call) => call.status !== 'settled');
  }
}
