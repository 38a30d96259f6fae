/** How a model puts a batch into one call: the key of its list, and of name and arguments in each entry. */
export interface Wrapper {
  readonly list: string;
  readonly name: string;
  readonly arguments: string;
}

/** OpenAI's models were taught this function and call it where no request offers it; some endpoints rewrite the dot. */
const parallel: Wrapper = { list: 'tool_uses', name: 'recipient_name', arguments: 'parameters' };
const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  ['multi_tool_use.parallel', parallel],
  ['multi_tool_use_parallel', parallel],
]);

/** The wrapper that a name means where no visible tool has that name. */
export const wrapperNamed = (nameSent: string): Wrapper | undefined => wrappers.get(nameSent);
