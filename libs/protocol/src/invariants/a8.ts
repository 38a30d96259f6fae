import type { WritEvent } from '@writ/contracts';
import { finding, isType, roundsOf, streamsOf, type Finding, type History, type RuleReport } from './history';
import { askedIds, checkAnthropicMessages, checkOpenaiMessages } from './provider-legality';

/** What the reader's own renderers make of one session: `{messages, open?}` each. */
export interface RenderedSession {
  readonly sessionId: string;
  readonly openai: { readonly messages: unknown };
  readonly anthropic: { readonly messages: unknown };
}

/**
 * A8: each round is recorded whole and in the model's order, no call is staged twice, and the transcripts made of it
 * are legal for OpenAI and Anthropic with every settled round in them once.
 */
export function checkA8(history: History, rendered: readonly RenderedSession[]): RuleReport {
  const sessions = [...streamsOf(history, 'session-')];
  const settledAt = new Map(
    history.filter(isType('ToolResultCommitted')).map((event) => [event.data.callId, event]),
  );
  const renderedById = new Map(rendered.map((session) => [`session-${session.sessionId}`, session]));
  return {
    checked: sessions.length,
    findings: [
      ...checkStagedOnce(history),
      ...sessions.flatMap(([stream, events]) => {
        const session = renderedById.get(stream);
        return [...checkOrder(events), ...(session ? checkRendered(session, events, settledAt) : [])];
      }),
    ],
  };
}

function checkStagedOnce(history: History): Finding[] {
  const first = new Map<string, WritEvent>();
  return history.filter(isType('ToolCallStaged')).flatMap((event) => {
    const before = first.get(event.data.callId);
    first.set(event.data.callId, before ?? event);
    return before ? [finding('A8', `call ${event.data.callId} was staged twice`, [before, event])] : [];
  });
}

/** A step's calls follow its message directly, counted from 0; its turn is open and its steps count up from 1. */
function checkOrder(events: readonly WritEvent[]): Finding[] {
  let turnId: string | undefined;
  let step = 0;
  let nextIndex: number | undefined;
  return events.flatMap((event) => {
    const expected = nextIndex;
    nextIndex = undefined;
    switch (event.type) {
      case 'TurnStarted':
        turnId = event.data.turnId;
        step = 0;
        return [];
      case 'TurnCompleted':
      case 'TurnFailed':
      case 'TurnInterrupted':
        turnId = undefined;
        return [];
      case 'AssistantMessageRecorded': {
        nextIndex = 0;
        step += 1;
        const fits = event.data.turnId === turnId && event.data.step === step;
        return fits ? [] : [finding('A8', 'a message is no next step of the open turn', [event])];
      }
      case 'ToolCallStaged': {
        nextIndex = (expected ?? 0) + 1;
        const { callId, index } = event.data;
        const fits = index === expected && event.data.turnId === turnId && event.data.step === step;
        return fits
          ? []
          : [finding('A8', `call ${callId} does not stand in its place behind its message`, [event])];
      }
      default:
        return [];
    }
  });
}

function checkRendered(
  session: RenderedSession,
  events: readonly WritEvent[],
  settledAt: ReadonlyMap<string, WritEvent>,
): Finding[] {
  const [last] = events.slice(-1);
  const compacted = events.filter(isType('ContextCompacted')).at(-1)?.data.throughRevision ?? -1;
  const expected = roundsOf(events)
    .filter(({ message }) => message.revision > compacted)
    .map(({ staged }) => staged.map((event) => event.data.callId))
    .filter((round) => round.every((callId) => settledAt.has(callId)))
    .flat();
  const [openai, anthropic] = [session.openai.messages, session.anthropic.messages];
  const problems = [
    ...checkOpenaiMessages(openai).map((problem) => `openai ${problem}`),
    ...checkAnthropicMessages(anthropic).map((problem) => `anthropic ${problem}`),
    ...[openai, anthropic]
      .filter((messages) => askedIds(messages).join(' ') !== expected.join(' '))
      .map(() => 'it does not show every settled round once and in order'),
  ];
  return problems.map((problem) =>
    finding('A8', `the transcript of session ${session.sessionId}: ${problem}`, [last]),
  );
}
