import type { OpenaiMessage, OpenaiTranscript } from '@writ/contracts';
import { conversation, type Entry } from './conversation';
import type { TranscriptState } from './state';

/** As chat completions take it: each tool message directly after the assistant message that asks for it, in call order. */
export function toOpenai(state: TranscriptState): OpenaiTranscript {
  const { instructions, entries, open } = conversation(state);
  const system: OpenaiMessage[] = instructions ? [{ role: 'system', content: instructions }] : [];
  const messages = [...system, ...entries.flatMap(messagesOf)];
  return open.length > 0 ? { messages, open: [...open] } : { messages };
}

function messagesOf(entry: Entry): OpenaiMessage[] {
  if (entry.kind === 'user') return [{ role: 'user', content: entry.text }];
  const { text, calls } = entry;
  // A reply that says and asks nothing is on record; no provider accepts it back.
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      tool_calls: calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.argsText },
      })),
    },
    ...calls.map((call): OpenaiMessage => ({ role: 'tool', tool_call_id: call.id, content: call.result })),
  ];
}
