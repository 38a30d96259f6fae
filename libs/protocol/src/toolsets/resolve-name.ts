import { memberOf } from './expand';
import type { VisibleTool } from './table';

/** The tool that a sent name means. `candidates` are the tools that it could mean as well as each other. */
export type NameResolution =
  | {
      readonly status: 'resolved';
      readonly how: 'exact' | 'alias' | 'folded' | 'namespaced';
      readonly tool: VisibleTool;
    }
  | { readonly status: 'unknown'; readonly candidates: readonly string[] };

/**
 * Where models know the functions that a request offers: `functions.` is OpenAI's, `default_api.` is Gemini's. No tool
 * has a dot in its name, so nothing else can be meant. Any other namespace is somebody else's tool.
 */
const ownNamespaces = ['functions.', 'default_api.'] as const;

/** Former names and the tools that they mean. */
export type Aliases = Readonly<Record<string, string>>;

/**
 * A name is taken as sent; else, where it is a former name of a visible tool, as that one; else, where folding ASCII case and `-`/`_` leaves exactly one visible tool, as that one; so
 * is what follows a namespace that means nothing. Two candidates mean unknown, never a guess. Nothing else is repaired.
 */
export function resolveName(
  nameSent: string,
  visible: readonly VisibleTool[],
  aliases: Aliases = {},
): NameResolution {
  const namespace = ownNamespaces.find((each) => nameSent.startsWith(each));
  if (namespace === undefined) return plainName(nameSent, visible, aliases);
  const resolution = plainName(nameSent.slice(namespace.length), visible, aliases);
  return resolution.status === 'resolved' ? { ...resolution, how: 'namespaced' } : resolution;
}

function plainName(name: string, visible: readonly VisibleTool[], aliases: Aliases): NameResolution {
  const exact = visible.find((tool) => tool.name === name);
  if (exact) return { status: 'resolved', how: 'exact', tool: exact };
  const meant = memberOf(aliases, name);
  const renamed = visible.find((tool) => tool.name === meant);
  if (renamed) return { status: 'resolved', how: 'alias', tool: renamed };
  const wanted = fold(name);
  const [candidate, ...others] = visible.filter((tool) => fold(tool.name) === wanted);
  if (candidate === undefined) return { status: 'unknown', candidates: [] };
  if (others.length === 0) return { status: 'resolved', how: 'folded', tool: candidate };
  return { status: 'unknown', candidates: [candidate, ...others].map((tool) => tool.name).sort() };
}

/** Only ASCII letters fold: `toLowerCase` would also turn a Kelvin sign into a k. */
const fold = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('-', '_');
