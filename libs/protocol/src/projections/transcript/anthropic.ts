import type { AnthropicMessage, AnthropicTranscript } from '@writ/contracts';
import { conversation, type Entry } from './conversation';
import type { TranscriptState } from './state';

/** Stands for an input of white space alone, which the messages API refuses; the first message must be a user's. */
export const blankInput = '(blank)';

/**
 * As the messages API takes it: roles alternate, so neighbours of one role are one message; all results of a message
 * come together in the next one, before any text.
 */
export function toAnthropic(state: TranscriptState): AnthropicTranscript {
  const { instructions, entries, open } = conversation(state);
  return {
    system: instructions && !isBlank(instructions) ? instructions : undefined,
    messages: entries.flatMap(messagesOf).reduce(joinNeighbours, []),
    open: open.length > 0 ? [...open] : undefined,
  };
}

const isBlank = (text: string): boolean => text.trim() === '';

function messagesOf(entry: Entry): AnthropicMessage[] {
  if (entry.kind === 'user') {
    const text = isBlank(entry.text) ? blankInput : entry.text;
    return [{ role: 'user', content: [{ type: 'text', text }] }];
  }
  const { text, calls } = entry;
  const said: AnthropicMessage['content'] = isBlank(text) ? [] : [{ type: 'text', text }];
  const asked = calls.map(({ id, name, args }) => ({ type: 'tool_use' as const, id, name, input: args }));
  const answered = calls.map((call) => ({
    type: 'tool_result' as const,
    tool_use_id: call.id,
    content: call.result,
    is_error: call.succeeded ? undefined : true,
  }));
  const messages: AnthropicMessage[] = [
    { role: 'assistant', content: [...said, ...asked] },
    { role: 'user', content: answered },
  ];
  return messages.filter((message) => message.content.length > 0);
}

function joinNeighbours(messages: AnthropicMessage[], next: AnthropicMessage): AnthropicMessage[] {
  const last = messages.at(-1);
  if (last?.role !== next.role) messages.push(next);
  else last.content.push(...next.content);
  return messages;
}
