import {
  fieldsOf,
  hasBrokenText,
  isBlank,
  isObjectText,
  legalId,
  legalName,
  listOf,
  textOf,
  unanswered,
} from './reading';

/** What chat completions would refuse, one line each; an empty list for a legal transcript. */
export function checkOpenaiMessages(messages: unknown): string[] {
  if (!Array.isArray(messages)) return ['messages: not a list'];
  const seen = new Set<string>();
  const problems: string[] = [];
  for (let at = 0; at < messages.length;) {
    const message = fieldsOf(messages[at]);
    const where = `messages[${at}]`;
    const asked = listOf(message['tool_calls']);
    const answers = messages.slice(at + 1, at + 1 + asked.length).map(fieldsOf);
    problems.push(...checkMessage(message, where, at), ...checkCalls(asked, seen, where));
    problems.push(...unanswered(asked.map(idOf), answers.map(answeredId), where));
    for (const answer of answers) {
      if (answer['role'] === 'tool' && isBlank(answer['content']))
        problems.push(`${where}: an answer is empty`);
      if (hasBrokenText(answer)) problems.push(`${where}: an answer holds half a surrogate pair`);
    }
    at += 1 + countWhile(answers, (answer) => answer['role'] === 'tool');
  }
  return problems;
}

const idOf = (call: unknown): unknown => fieldsOf(call)['id'];
const answeredId = (answer: { readonly [key: string]: unknown }): unknown =>
  answer['role'] === 'tool' ? answer['tool_call_id'] : undefined;

function countWhile<T>(items: readonly T[], holds: (item: T) => boolean): number {
  const end = items.findIndex((item) => !holds(item));
  return end === -1 ? items.length : end;
}

function checkMessage(message: { readonly [key: string]: unknown }, where: string, at: number): string[] {
  const role = textOf(message['role']);
  const content = message['content'];
  const calls = listOf(message['tool_calls']);
  const problems = hasBrokenText(message) ? [`${where}: holds half a surrogate pair`] : [];
  switch (role) {
    case 'system':
      return at === 0 && typeof content === 'string'
        ? problems
        : [...problems, `${where}: a system message out of place`];
    case 'user':
      return typeof content === 'string' ? problems : [...problems, `${where}: a user message without text`];
    case 'assistant':
      if (calls.length === 0 && (typeof content !== 'string' || content === '')) {
        return [...problems, `${where}: an assistant message that says and asks nothing`];
      }
      return content === null || typeof content === 'string'
        ? problems
        : [...problems, `${where}: content is no text`];
    case 'tool':
      return [...problems, `${where}: an answer to no call before it`];
    default:
      return [...problems, `${where}: unknown role`];
  }
}

function checkCalls(calls: readonly unknown[], seen: Set<string>, where: string): string[] {
  return calls.map(fieldsOf).flatMap((call) => {
    const id = call['id'];
    const fn = fieldsOf(call['function']);
    const problems: string[] = [];
    if (!legalId(id)) problems.push(`${where}: a call id that providers refuse`);
    else if (seen.has(id)) problems.push(`${where}: call id ${id} twice`);
    else seen.add(id);
    if (!legalName(fn['name'])) problems.push(`${where}: a function name that providers refuse`);
    if (!isObjectText(fn['arguments'])) problems.push(`${where}: arguments that are no JSON object`);
    return problems;
  });
}
