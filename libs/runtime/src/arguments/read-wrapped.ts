import type { Wrapper } from '@writ/protocol';
import { parseTree, type Node } from 'jsonc-parser';
import { argumentLimits } from '../limits';
import { readArguments } from './read-arguments';

export interface WrappedCall {
  readonly name: string;
  /** The part of the wrapper's own text, to the byte; any JSON value. */
  readonly arguments: string;
}

export type ReadWrapped =
  | { readonly ok: true; readonly calls: readonly WrappedCall[] }
  /** `message` names the place and never a value. */
  | { readonly ok: false; readonly message: string };

/**
 * Takes a batch out of one call's arguments. The whole text must read as arguments and have the wrapper's shape and
 * nothing else: what an unknown key says would be lost.
 */
export function readWrapped(raw: string, wrapper: Wrapper): ReadWrapped {
  const read = readArguments(raw);
  if (!read.ok) return fault(`${read.code}: ${read.message}`);
  const list = memberOf(parseTree(raw), [wrapper.list])?.[0];
  if (list?.type !== 'array')
    return fault(`it must be an object with the list ${wrapper.list} and no other key`);
  const entries = list.children ?? [];
  if (entries.length === 0) return fault(`${wrapper.list} is empty`);
  if (entries.length > argumentLimits.wrappedCalls)
    return fault(`it holds ${entries.length} calls, at most ${argumentLimits.wrappedCalls} are allowed`);
  const calls: WrappedCall[] = [];
  for (const [index, entry] of entries.entries()) {
    const [name, value] = memberOf(entry, [wrapper.name, wrapper.arguments]) ?? [];
    if (name?.type !== 'string' || value === undefined)
      return fault(
        `/${wrapper.list}/${index} must have the text ${wrapper.name}, ${wrapper.arguments} and no other key`,
      );
    calls.push({ name: String(name.value), arguments: raw.slice(value.offset, value.offset + value.length) });
  }
  return { ok: true, calls };
}

const fault = (message: string): ReadWrapped => ({ ok: false, message });

/** The values of these keys, in this order; undefined where the node is no object with exactly them. */
function memberOf(node: Node | undefined, keys: readonly string[]): readonly Node[] | undefined {
  if (node?.type !== 'object') return undefined;
  const members = new Map((node.children ?? []).map(({ children }) => [children?.[0]?.value, children?.[1]]));
  const values = keys.flatMap((key) => members.get(key) ?? []);
  return values.length === keys.length && members.size === keys.length ? values : undefined;
}
