/**
 * What a provider may be shown, before it takes the shape of one: whole rounds only. A round that still has an open
 * call is left out with its message and named; what a compaction covers is replaced by its summary (R13).
 */
import type { ContentPart, Json, WritEvent } from '@writ/contracts';
import { stagedArguments } from './arguments';
import type { CallFacts, StepFacts, TranscriptState, TurnFacts } from './state';
import { orderedPart, wellFormed, wellFormedJson } from './text';

export interface ShownCall {
  /** Our callId: legal for every provider and unique, whatever the provider sent. */
  readonly id: string;
  readonly name: string;
  readonly args: { [key: string]: Json };
  readonly argsText: string;
  readonly succeeded: boolean;
  /** The result as one JSON envelope, so that no text of a tool can pass for an outcome (R7). */
  readonly result: string;
}

export type Entry =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'assistant'; readonly text: string; readonly calls: readonly ShownCall[] };

export interface Conversation {
  readonly instructions?: string | undefined;
  readonly entries: readonly Entry[];
  readonly open: readonly string[];
}

export const summaryHeading = 'Summary of the conversation so far:';

export function conversation(state: TranscriptState): Conversation {
  const instructions = state.opened?.data.instructions;
  const through = state.compacted?.data.throughRevision ?? -1;
  const summary = state.compacted ? `${summaryHeading}\n\n${state.compacted.data.summary}` : undefined;
  return {
    instructions: instructions === undefined ? undefined : wellFormed(instructions),
    entries: [
      ...(summary === undefined ? [] : [{ kind: 'user' as const, text: wellFormed(summary) }]),
      ...state.turns.flatMap((turn) => turnEntries(turn, through)),
    ],
    open: state.turns.flatMap((turn) => turn.steps.flatMap(openCalls)),
  };
}

function turnEntries(turn: TurnFacts, through: number): Entry[] {
  const lastRevision = turn.end?.revision ?? Number.POSITIVE_INFINITY;
  if (lastRevision <= through) return [];
  return [
    { kind: 'user', text: wellFormed(turn.started.data.input) },
    ...turn.steps.filter((step) => step.message.revision > through).flatMap(stepEntries),
    ...finalEntries(turn),
  ];
}

function stepEntries(step: StepFacts): Entry[] {
  const calls = step.calls.flatMap(shownCall);
  if (calls.length < step.calls.length) return [];
  return [{ kind: 'assistant', text: wellFormed(step.message.data.text), calls }];
}

/** A final text is the last message's own; only where no such message is on record does it stand for itself. */
function finalEntries(turn: TurnFacts): Entry[] {
  const last = turn.steps.at(-1);
  if (turn.end?.type !== 'TurnCompleted' || (last && last.calls.length === 0)) return [];
  return [{ kind: 'assistant', text: wellFormed(turn.end.data.finalText), calls: [] }];
}

const openCalls = (step: StepFacts): string[] =>
  step.calls.filter((call) => !call.result).map((call) => call.callId);

function shownCall({ callId, staged, result }: CallFacts): ShownCall[] {
  if (!staged || !result) return [];
  const raw = staged.data.rawArguments;
  const args = stagedArguments(staged.data);
  const shown = args ?? { invalid_arguments: wellFormed(raw) };
  return [
    {
      id: callId,
      name: staged.data.tool ?? presentableName(staged.data.nameSent),
      args: shown,
      argsText: args && raw.trim() !== '' ? raw : JSON.stringify(shown),
      succeeded: result.data.outcome === 'succeeded',
      result: envelope(result),
    },
  ];
}

/** A name that every provider takes: as sent where it fits, else its legal characters. */
function presentableName(sent: string): string {
  const legal = sent.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64);
  return /[a-zA-Z0-9]/.test(legal) ? legal : 'unnamed_tool';
}

function envelope({ data }: WritEvent<'ToolResultCommitted'>): string {
  const { outcome, effect, code, content } = data;
  return JSON.stringify({ outcome, effect, code, content: wellFormedJson(shownContent(content)) });
}

/** A single text or JSON value as itself, anything else as the list of its parts. */
function shownContent(content: readonly ContentPart[]): Json {
  const [only] = content;
  if (only && content.length === 1 && only.type === 'text') return only.text;
  if (only && content.length === 1 && only.type === 'json') return only.value;
  return content.map(partValue);
}

/** The part without keys that it does not have, since a JSON value knows no `undefined`. */
function partValue(part: ContentPart): Json {
  const ordered = orderedPart(part);
  if (ordered.type !== 'blob' || ordered.preview !== undefined) return { ...ordered };
  return { type: ordered.type, mediaType: ordered.mediaType, size: ordered.size, sha256: ordered.sha256 };
}
