import { eventSchemas, type EventData, type NewEvent, type WritEvent } from '@writ/contracts';
import {
  checkAnthropicMessages,
  checkOpenaiMessages,
  decideSession,
  emptyTranscript,
  foldSession,
  foldTranscript,
  serializeTranscript,
  toAnthropic,
  toCanonical,
  toOpenai,
} from '@writ/protocol';
import { proposeRound, type ModelReply, type ProposedRound } from '@writ/runtime';

const owner = 'turn-orchestrator.one#0';
const sessionId = 's1';
const stream = `session-${sessionId}`;
const digest = `sha256:${'0'.repeat(64)}`;
const budgets = { steps: 9, callsPerTurn: 9, callsPerBatch: 6, wallTimeMs: 1, roundTimeMs: 1, delegates: 2 };

/** Recorded events without their chain: digests cost time and say nothing about a reply. */
function recorded(drafts: readonly NewEvent[], after: number, of = stream): WritEvent[] {
  return drafts.map((draft, index) => ({
    ...draft,
    id: '00000000-0000-4000-8000-000000000000',
    stream: of,
    revision: after + index,
    position: String(after + index),
    metadata: {
      $correlationId: sessionId,
      schemaVersion: 1,
      at: '2026-01-01T00:00:00.000Z',
      actor: { service: 'turn-orchestrator', instance: owner },
      predecessor: after + index === 0 ? null : digest,
      digest,
    },
  }));
}

const beginning = recorded(
  [
    {
      type: 'SessionOpened',
      data: {
        ...{ sessionId, tenant: 't', platform: 'api', toolsets: [], disabledToolsets: [] },
        ...{ policyDigest: digest, openedBy: 'p' },
      },
    },
    { type: 'SessionLeaseAcquired', data: { sessionId, instance: owner, why: 'turn_started' } },
    { type: 'TurnStarted', data: { turnId: 't1', input: 'go', requestDigest: digest, budgets } },
  ],
  0,
);
const session = foldSession(beginning);
const begun = beginning.reduce(foldTranscript, emptyTranscript());

/** `thorough`: whether events are held against their contracts, and the transcript against that of events read back. */
type Context = { readonly thorough: boolean } & Omit<
  Parameters<typeof proposeRound>[1],
  'sessionId' | 'turnId' | 'step' | 'budgets' | 'callsUsed'
>;

export interface RecordedReply {
  readonly round: ProposedRound;
  /** What is wrong with it; empty where all is well. */
  readonly problems: readonly string[];
}

/**
 * A reply from judgement to transcript without store and clock: what the owner would append is accepted by the decider
 * and fits the contract, every call is answered once, and both providers would take the transcript back.
 */
export function recordReply(reply: ModelReply, { thorough, ...context }: Context): RecordedReply {
  const round = proposeRound(reply, { ...context, sessionId, turnId: 't1', step: 1, budgets, callsUsed: 0 });
  const { text, model, finishReason, usage } = reply;
  const message: EventData<'AssistantMessageRecorded'> = {
    ...{ turnId: 't1', step: 1, text, model, finishReason, toolTableDigest: digest, results: [] },
    ...(usage === undefined ? {} : { usage }),
  };
  const { events } = round;
  const staged = events.flatMap((event) => (event.type === 'ToolCallStaged' ? [event.data] : []));
  const refused = events.flatMap((event) => (event.type === 'ToolResultCommitted' ? [event.data] : []));
  const decision = decideSession(session, {
    ...{ type: 'RecordStep', instance: owner, epoch: 1 },
    ...{ message, staged, refusedResults: refused },
  });
  if (decision.kind !== 'accepted') return { round, problems: [`not recorded: ${JSON.stringify(decision)}`] };
  const step = recorded(decision.events, beginning.length);
  const ran = staged
    .filter(({ verdict }) => verdict !== 'refused')
    .flatMap(({ callId }, index) => recorded([result(callId)], 100 + index, `toolcall-${callId}`));
  const transcript = [...step, ...ran].reduce(foldTranscript, begun);
  return {
    round,
    problems: [
      ...(thorough ? step.flatMap(misfits) : []),
      ...uneven(
        [...refused.map(({ callId }) => callId), ...ran.map(({ stream: of }) => of.slice(9))],
        staged,
      ),
      ...checkOpenaiMessages(toOpenai(transcript).messages).map((problem) => `openai ${problem}`),
      ...checkAnthropicMessages(toAnthropic(transcript).messages).map((problem) => `anthropic ${problem}`),
      ...(thorough ? unstable([...step, ...ran], transcript) : []),
    ],
  };
}

const result = (callId: string): NewEvent<'ToolResultCommitted'> => ({
  type: 'ToolResultCommitted',
  data: {
    ...{ callId, outcome: 'succeeded', effect: 'applied', digest },
    content: [{ type: 'text', text: 'ran' }],
  },
});

function misfits({ type, data }: WritEvent): string[] {
  const parsed = eventSchemas[type].safeParse(data);
  return parsed.success ? [] : [`${type} does not fit its contract: ${parsed.error.message}`];
}

/** Every staged call has one answer, no other call has any, and ids are ours and different. */
function uneven(answered: readonly string[], staged: readonly EventData<'ToolCallStaged'>[]): string[] {
  const asked = staged.map(({ callId }) => callId);
  const isEven =
    new Set(asked).size === asked.length && [...answered].sort().join() === [...asked].sort().join();
  return isEven ? [] : [`asked ${asked.join()}, answered ${answered.join()}`];
}

/** Bytes that went through a store fold to the same transcript. */
function unstable(events: readonly WritEvent[], transcript: typeof begun): string[] {
  const reread: WritEvent[] = JSON.parse(JSON.stringify(events));
  const again = reread.reduce(foldTranscript, begun);
  const bytes = (state: typeof begun): string =>
    [toOpenai(state), toAnthropic(state), toCanonical(state)].map(serializeTranscript).join('\n');
  return bytes(again) === bytes(transcript) ? [] : ['the fold of what was stored differs'];
}
