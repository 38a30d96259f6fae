import { fieldsOf, listOf } from './reading';

/** Ids of the calls that a rendered transcript asks for, in its order; for either provider. */
export function askedIds(messages: unknown): string[] {
  return listOf(messages)
    .map(fieldsOf)
    .flatMap((message) => [
      ...listOf(message['tool_calls']).map(fieldsOf),
      ...listOf(message['content'])
        .map(fieldsOf)
        .filter((block) => block['type'] === 'tool_use'),
    ])
    .map((call) => String(call['id']));
}
