/** One session with its calls for specs: commands in, events into a journal, states and the owner's next work out. */
import {
  callStream,
  sessionStream,
  type Actor,
  type Budgets,
  type EventData,
  type NewEvent,
} from '@writ/contracts';
import { callFromStaged, decideCall, evolveCall, type CallCommand, type CallState } from '../tool-call';
import {
  decideSession,
  evolveSession,
  pendingTurn,
  shownResults,
  type OwnerFacts,
  type SessionCommand,
  type SessionDecision,
  type SessionState,
  type TurnWork,
} from '../turn';
import { digest, message, opened, owner, result, sessionId, staged, turn } from './facts';
import { beginning, Journal } from './journal';

export interface SessionWorld {
  readonly session: SessionState;
  readonly calls: ReadonlyMap<string, CallState>;
  readonly journal: Journal;
  readonly nowMs: number;
  asked(command: SessionCommand): SessionDecision;
  did(command: SessionCommand, actor?: Actor): SessionWorld;
  /** Writes an event past the decider, as a foreign record would have it. */
  holds(event: NewEvent): SessionWorld;
  /** A command on one of its calls. */
  call(callId: string, command: CallCommand): SessionWorld;
  callState(callId: string): CallState;
  /** Lets wall time pass. */
  later(ms: number): SessionWorld;
  /** What `facts.instance` has to do. */
  pending(facts?: Partial<OwnerFacts>): TurnWork[];
}

export const ownerFacts = (nowMs: number, given: Partial<OwnerFacts> = {}): OwnerFacts => ({
  instance: owner,
  nowMs,
  holderLease: () => 'live',
  endedForMs: () => 0,
  runningForMs: () => 0,
  unclaimedForMs: () => 0,
  interruptRequested: false,
  limits: { commitGraceMs: 5_000, unclaimedMs: 60_000 },
  ...given,
});

interface Inside {
  readonly session: SessionState;
  readonly calls: ReadonlyMap<string, CallState>;
  readonly journal: Journal;
  readonly nowMs: number;
}

function worldOf(inside: Inside): SessionWorld {
  const { session, calls, journal, nowMs } = inside;
  const callState = (callId: string): CallState => {
    const state = calls.get(callId);
    if (state === undefined) throw new Error(`no call ${callId}`);
    return state;
  };
  return {
    ...inside,
    callState,
    asked: (command) => decideSession(session, command),
    did: (command, actor = { service: 'turn-orchestrator', instance: actorOf(command, session) }) => {
      const decision = decideSession(session, command);
      if (decision.kind !== 'accepted') throw new Error(`${command.type}: ${JSON.stringify(decision)}`);
      const fork = journal.fork();
      const events = fork.append(sessionStream(sessionId), decision.events, { wallMs: nowMs, actor });
      const next = events.reduce<SessionState>((state, event) => evolveSession(state, event), session);
      const known = new Map(calls);
      for (const [callId, { staged: event, settledInSession }] of next.calls)
        if (!known.has(callId)) known.set(callId, callFromStaged(event, settledInSession));
      return worldOf({ ...inside, session: next, calls: known, journal: fork });
    },
    holds: (event) => {
      const fork = journal.fork();
      const actor = { service: 'turn-orchestrator', instance: session.lease?.instance } as const;
      const events = fork.append(sessionStream(sessionId), [event], { wallMs: nowMs, actor });
      const next = events.reduce<SessionState>((state, each) => evolveSession(state, each), session);
      return worldOf({ ...inside, session: next, journal: fork });
    },
    call: (callId, command) => {
      const decision = decideCall(callState(callId), command);
      if (decision.kind !== 'accepted') throw new Error(`${command.type}: ${JSON.stringify(decision)}`);
      const fork = journal.fork();
      const events = fork.append(callStream(callId), decision.events, { wallMs: nowMs });
      const state = events.reduce(evolveCall, callState(callId));
      return worldOf({ ...inside, calls: new Map(calls).set(callId, state), journal: fork });
    },
    later: (ms) => worldOf({ ...inside, nowMs: nowMs + ms }),
    pending: (facts) => pendingTurn(session, calls, ownerFacts(nowMs, facts)),
  };
}

const actorOf = (command: SessionCommand, session: SessionState): string =>
  'instance' in command ? command.instance : (session.lease?.instance ?? owner);

export function openedSession(): SessionWorld {
  const journal = new Journal();
  const [event] = journal.append(sessionStream(sessionId), [{ type: 'SessionOpened', data: opened() }], {
    wallMs: beginning,
  });
  if (event === undefined) throw new Error('nothing was opened');
  return worldOf({ session: evolveSession(undefined, event), calls: new Map(), journal, nowMs: beginning });
}

export const startTurn = (
  given: Partial<Extract<SessionCommand, { type: 'StartTurn' }>> = {},
): SessionCommand => ({ type: 'StartTurn', instance: owner, openCalls: [], ...turn(), ...given });

export const withBudgets = (given: Partial<Budgets>): SessionCommand =>
  startTurn({ budgets: { ...turn().budgets, ...given } });

export const startedTurn = (given: Partial<Budgets> = {}): SessionWorld =>
  openedSession().did(withBudgets(given));

export const holding = (world: SessionWorld, instance = owner) => ({
  instance,
  epoch: world.session.lease?.epoch ?? -1,
});

/** The next model reply of the world, with these calls; `verdict: 'refused'` brings its result. */
export function step(
  world: SessionWorld,
  calls: readonly (Partial<EventData<'ToolCallStaged'>> & { readonly callId: string })[],
  given: Partial<EventData<'AssistantMessageRecorded'>> = {},
): SessionCommand {
  const turnId = world.session.turn?.turnId ?? 't1';
  const number = (world.session.turn?.steps ?? 0) + 1;
  const results = shownResults(world.session, world.calls) ?? [];
  const data = calls.map(({ callId, ...own }, index) =>
    staged(callId, {
      turnId,
      step: number,
      index,
      ...own,
      ...(own.verdict === 'refused' && { segment: undefined }),
    }),
  );
  return {
    type: 'RecordStep',
    ...holding(world, world.session.lease?.instance),
    message: message(number, { turnId, results, ...given }),
    staged: data,
    refusedResults: data
      .filter(({ verdict }) => verdict === 'refused')
      .map(({ callId }) => result(callId, { outcome: 'refused', effect: 'none', digest: digest('7') })),
  };
}

/** A started turn whose first reply has these calls. */
export function round(
  calls: readonly (Partial<EventData<'ToolCallStaged'>> & { readonly callId: string })[],
  budgets: Partial<Budgets> = {},
): SessionWorld {
  const world = startedTurn(budgets);
  return world.did(step(world, calls));
}

/** Everything but the reminder to look again. */
export const acts = (work: readonly TurnWork[]): readonly TurnWork[] =>
  work.filter((item) => item.do !== 'look_again');
export const lookAgainMs = (work: readonly TurnWork[]): number | undefined =>
  work.flatMap((item) => (item.do === 'look_again' ? [item.inMs] : []))[0];
