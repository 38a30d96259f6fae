import { isDeepStrictEqual } from 'node:util';
import type { WritEvent } from '@writ/contracts';
import {
  checkAnthropicMessages,
  checkOpenaiMessages,
  emptyTranscript,
  foldTranscript,
  historyRules,
  serializeTranscript,
  toAnthropic,
  toCanonical,
  toOpenai,
} from '@writ/protocol';
import { argumentsDigest, type ModelReply, type ProposedCall } from '@writ/runtime';
import type { RoundWorld } from './world';

type Staged = WritEvent<'ToolCallStaged'>['data'];
type Result = WritEvent<'ToolResultCommitted'>['data'];

/** What the model asked for and what became of it, as far as the checks care. */
interface Recorded {
  readonly events: readonly WritEvent[];
  readonly staged: readonly Staged[];
  readonly results: readonly Result[];
}

/**
 * What is wrong with the turns of a session in which the model gave these replies and then ended: an empty list where
 * every call has one result and its place, nothing refused ran, what ran is what was staged, the transcript is legal
 * for both providers, folds the same however it is read, and the audit has nothing to say.
 */
export function checkRound(world: RoundWorld, sessionId: string, replies: readonly ModelReply[]): string[] {
  const events = world.events(sessionId);
  const staged = events.flatMap((event) => (event.type === 'ToolCallStaged' ? [event.data] : []));
  const results = events.flatMap((event) => (event.type === 'ToolResultCommitted' ? [event.data] : []));
  const record: Recorded = { events, staged, results };
  return [
    ...world.log.errors,
    ...answered(record),
    ...inPlace(record, replies),
    ...staged.flatMap((call) => ranRightly(world, record, call)),
    ...transcript(events, world),
    ...Object.values(historyRules).flatMap((check) => check(events).findings.map(({ message }) => message)),
  ];
}

const answered = ({ staged, results }: Recorded): string[] =>
  staged.flatMap(({ callId }) => {
    const count = results.filter((result) => result.callId === callId).length;
    return count === 1 ? [] : [`${callId} has ${count} results`];
  });

/** Nothing is dropped, moved or changed: a call stands in its place as it was sent, or its wrapper's calls do. */
function inPlace({ events, staged }: Recorded, replies: readonly ModelReply[]): string[] {
  const messages = events.flatMap((event) => (event.type === 'AssistantMessageRecorded' ? [event.data] : []));
  return messages.slice(0, replies.length).flatMap(({ step }, at) => {
    const left = staged.filter((call) => call.step === step);
    const problems = (replies[at]?.calls ?? []).flatMap((sent) => {
      const [first] = left;
      const taken = left.splice(0, first?.wrapper?.of ?? 1);
      return taken.every((call, place) => isAsSent(call, sent, place)) && taken.length > 0
        ? []
        : [`step ${step}: ${sent.name.slice(0, 20)} is not in its place as it was sent`];
    });
    return left.length === 0
      ? problems
      : [...problems, `step ${step}: ${left.length} calls that nobody sent`];
  });
}

function isAsSent(call: Staged, sent: ProposedCall, place: number): boolean {
  const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
  const { wrapper } = call;
  if (wrapper !== undefined)
    return (
      wrapper.place === place && wrapper.nameSent === sent.name && sent.arguments.includes(call.rawArguments)
    );
  const raw = wellFormed(sent.arguments);
  return (
    wellFormed(sent.name).startsWith(call.nameSent) &&
    (call.rawArguments === raw || (call.verdict === 'refused' && raw.startsWith(call.rawArguments)))
  );
}

/** A tool ran once where its call succeeded and never where it was refused or denied, with the value that was staged. */
function ranRightly({ runs }: RoundWorld, { results }: Recorded, call: Staged): string[] {
  const own = runs.filter(({ callId }) => callId === call.callId);
  const outcome = results.find(({ callId }) => callId === call.callId)?.outcome;
  const wanted = outcome === 'refused' || outcome === 'denied' ? 0 : 1;
  if (own.length !== wanted) return [`${call.callId}: ${outcome}, and ran ${own.length} times`];
  const [run] = own;
  if (run === undefined) return [];
  const { tool, definitionDigest = '', rawArguments } = call;
  const parsed: unknown = rawArguments.trim() === '' ? {} : JSON.parse(rawArguments);
  const isStaged =
    run.tool === tool &&
    isDeepStrictEqual(run.args, parsed) &&
    argumentsDigest({ tool, definitionDigest, args: run.args }) === call.argsDigest;
  return isStaged ? [] : [`${call.callId} ran with something else than what was staged`];
}

function transcript(events: readonly WritEvent[], world: RoundWorld): string[] {
  const live = events.reduce(foldTranscript, emptyTranscript());
  const openai = toOpenai(live);
  const anthropic = toAnthropic(live);
  // As a session is loaded: its own stream first, then each call's.
  const sessionFirst = [...events].sort((a, b) => Number(isOfCall(a)) - Number(isOfCall(b)));
  const loaded = sessionFirst.reduce(foldTranscript, emptyTranscript());
  const reread = events
    .map((event): WritEvent => structuredClone(event))
    .reduce(foldTranscript, emptyTranscript());
  const bytes = (state: typeof live): string =>
    [toOpenai(state), toAnthropic(state), { ...toCanonical(state), position: '0' }]
      .map(serializeTranscript)
      .join('\n');
  const shown = JSON.stringify(world.shown.at(-1));
  const isShown = JSON.stringify(openai.messages).startsWith(shown.slice(0, -1));
  return [
    ...checkOpenaiMessages(openai.messages).map((problem) => `openai ${problem}`),
    ...checkAnthropicMessages(anthropic.messages).map((problem) => `anthropic ${problem}`),
    ...(openai.open === undefined ? [] : ['a call is open']),
    ...(bytes(loaded) === bytes(live) && bytes(reread) === bytes(live) ? [] : ['the folds differ']),
    ...(isShown ? [] : ['the model was shown something else than what replays']),
  ];
}

const isOfCall = ({ stream }: WritEvent): boolean => stream.startsWith('toolcall-');
