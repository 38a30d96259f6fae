import {
  fieldsOf,
  hasBrokenText,
  isBlank,
  legalId,
  legalName,
  listOf,
  textOf,
  unanswered,
  type Fields,
} from './reading';

interface Message {
  readonly role: string | undefined;
  readonly blocks: readonly Fields[];
}

/** What the messages API would refuse, one line each; an empty list for a legal transcript. */
export function checkAnthropicMessages(messages: unknown): string[] {
  if (!Array.isArray(messages)) return ['messages: not a list'];
  const read = messages.map((raw): Message => {
    const fields = fieldsOf(raw);
    return { role: textOf(fields['role']), blocks: listOf(fields['content']).map(fieldsOf) };
  });
  const seen = new Set<string>();
  return [
    ...read.flatMap((message, at) => checkRole(message, at)),
    ...read.flatMap((message, at) =>
      message.blocks.flatMap((block) => checkBlock(block, message, `messages[${at}]`)),
    ),
    ...read.flatMap((message, at) => checkIds(message, seen, `messages[${at}]`)),
    ...read.flatMap((message, at) => checkAnswers(message, read[at - 1], `messages[${at}]`)),
    ...checkAnswered(read),
    ...(hasBrokenText(messages) ? ['messages: half a surrogate pair'] : []),
  ];
}

const usesOf = (message: Message | undefined): readonly Fields[] =>
  message?.blocks.filter((block) => block['type'] === 'tool_use') ?? [];
const resultsOf = (message: Message | undefined): readonly Fields[] =>
  message?.blocks.filter((block) => block['type'] === 'tool_result') ?? [];

function checkRole(message: Message, at: number): string[] {
  const expected = at % 2 === 0 ? 'user' : 'assistant';
  const problems = message.role === expected ? [] : [`messages[${at}]: the turn of the ${expected}`];
  return message.blocks.length === 0 ? [...problems, `messages[${at}]: no content`] : problems;
}

function checkBlock(block: Fields, message: Message, where: string): string[] {
  switch (block['type']) {
    case 'text':
      return isBlank(block['text']) ? [`${where}: an empty text`] : [];
    case 'tool_use': {
      const problems = message.role === 'assistant' ? [] : [`${where}: only an assistant asks for tools`];
      if (!legalId(block['id'])) problems.push(`${where}: a call id that providers refuse`);
      if (!legalName(block['name'])) problems.push(`${where}: a tool name that providers refuse`);
      const input = block['input'];
      const isObject = input !== null && typeof input === 'object' && !Array.isArray(input);
      return isObject ? problems : [...problems, `${where}: an input that is no object`];
    }
    case 'tool_result':
      return isBlank(block['content']) ? [`${where}: an empty result`] : [];
    default:
      return [`${where}: unknown block`];
  }
}

function checkIds(message: Message, seen: Set<string>, where: string): string[] {
  return usesOf(message).flatMap((block) => {
    const id = String(block['id']);
    if (seen.has(id)) return [`${where}: call id ${id} twice`];
    seen.add(id);
    return [];
  });
}

/** Results stand first, answer the message before and nothing else. */
function checkAnswers(message: Message, before: Message | undefined, where: string): string[] {
  const asked = usesOf(before).map((block) => block['id']);
  const results = resultsOf(message);
  const firstBlocks = message.blocks.slice(0, results.length);
  const problems = unanswered(
    asked,
    results.map((block) => block['tool_use_id']),
    where,
  );
  if (results.length > asked.length) problems.push(`${where}: an answer to no call before it`);
  if (firstBlocks.some((block) => block['type'] !== 'tool_result'))
    problems.push(`${where}: a text before a result`);
  if (results.length > 0 && message.role !== 'user') problems.push(`${where}: only a user answers for tools`);
  return problems;
}

function checkAnswered(read: readonly Message[]): string[] {
  return usesOf(read.at(-1)).map((block) => `messages: call ${String(block['id'])} is never answered`);
}
