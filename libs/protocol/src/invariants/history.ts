/** How the rules read a history: recorded events in log order, grouped by call and by stream. Shares nothing with the deciders or folds. */
import type { EventType, WritEvent } from '@writ/contracts';

/** Events ordered by log position: a whole log, or all that concerns one session. */
export type History = readonly WritEvent[];

export type Rule = 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'A7' | 'A8' | 'A9' | 'A10';

export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
}

export interface Finding {
  readonly rule: Rule;
  /** One sentence; it names ids, never arguments or results. */
  readonly message: string;
  readonly events: readonly EventPlace[];
}

export interface RuleReport {
  /** How many events, calls or rounds the rule looked at. */
  readonly checked: number;
  readonly findings: readonly Finding[];
}

type PlacedEvent = EventPlace & { readonly type?: string };

export function finding(rule: Rule, message: string, events: readonly (PlacedEvent | undefined)[]): Finding {
  const known = events.filter((event) => event !== undefined);
  return {
    rule,
    message,
    events: known.map(({ stream, revision, position }) => ({ stream, revision, position })),
  };
}

/** Whether `a` stands before `b` in the log. */
export const isBefore = (a: EventPlace, b: EventPlace): boolean => BigInt(a.position) < BigInt(b.position);

export const isType =
  <T extends EventType>(...types: readonly T[]) =>
  (event: WritEvent): event is Extract<WritEvent, { type: T }> =>
    types.some((type) => type === event.type);

export interface RecordedCall {
  readonly callId: string;
  /** More than one only in a broken record. */
  readonly staged: readonly WritEvent<'ToolCallStaged'>[];
  /** The events of `toolcall-<callId>`, in order. */
  readonly events: readonly WritEvent[];
  /** Wherever they stand. */
  readonly results: readonly WritEvent<'ToolResultCommitted'>[];
}

interface CallUnderway {
  staged: WritEvent<'ToolCallStaged'>[];
  events: WritEvent[];
  results: WritEvent<'ToolResultCommitted'>[];
}

const callPrefix = 'toolcall-';

/** Every call that the history knows of, in order of first mention. */
export function callsOf(history: History): RecordedCall[] {
  const calls = new Map<string, CallUnderway>();
  const of = (callId: string): CallUnderway => {
    const known = calls.get(callId) ?? { staged: [], events: [], results: [] };
    calls.set(callId, known);
    return known;
  };
  for (const event of history) {
    if (event.stream.startsWith(callPrefix)) of(event.stream.slice(callPrefix.length)).events.push(event);
    if (event.type === 'ToolCallStaged') of(event.data.callId).staged.push(event);
    if (event.type === 'ToolResultCommitted') of(event.data.callId).results.push(event);
  }
  return [...calls].map(([callId, call]) => ({ callId, ...call }));
}

/** Events by stream, in order. */
export function streamsOf(history: History, prefix: string): Map<string, WritEvent[]> {
  const streams = new Map<string, WritEvent[]>();
  for (const event of history) {
    if (!event.stream.startsWith(prefix)) continue;
    const known = streams.get(event.stream);
    if (known) known.push(event);
    else streams.set(event.stream, [event]);
  }
  return streams;
}

export interface RecordedRound {
  readonly message: WritEvent<'AssistantMessageRecorded'>;
  readonly staged: readonly WritEvent<'ToolCallStaged'>[];
}

/** The model's replies of one session stream with the calls staged for each, by turn and step. */
export function roundsOf(sessionEvents: readonly WritEvent[]): RecordedRound[] {
  const staged = new Map<string, WritEvent<'ToolCallStaged'>[]>();
  const keyOf = (data: { turnId: string; step: number }): string => `${data.turnId} ${data.step}`;
  for (const event of sessionEvents.filter(isType('ToolCallStaged'))) {
    const key = keyOf(event.data);
    staged.set(key, [...(staged.get(key) ?? []), event]);
  }
  return sessionEvents
    .filter(isType('AssistantMessageRecorded'))
    .map((message) => ({ message, staged: staged.get(keyOf(message.data)) ?? [] }));
}
