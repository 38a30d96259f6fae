import type { VisibleTool } from './table';

/** The tool that a sent name means. `candidates` are the tools that it could mean as well as each other. */
export type NameResolution =
  | { readonly status: 'resolved'; readonly how: 'exact' | 'folded'; readonly tool: VisibleTool }
  | { readonly status: 'unknown'; readonly candidates: readonly string[] };

/**
 * A name is taken as sent; else, where folding ASCII case and `-`/`_` leaves exactly one visible tool, as that one.
 * Two candidates mean unknown, never a guess. Nothing else is repaired.
 */
export function resolveName(nameSent: string, visible: readonly VisibleTool[]): NameResolution {
  const exact = visible.find((tool) => tool.name === nameSent);
  if (exact) return { status: 'resolved', how: 'exact', tool: exact };
  const wanted = fold(nameSent);
  const [candidate, ...others] = visible.filter((tool) => fold(tool.name) === wanted);
  if (candidate === undefined) return { status: 'unknown', candidates: [] };
  if (others.length === 0) return { status: 'resolved', how: 'folded', tool: candidate };
  return { status: 'unknown', candidates: [candidate, ...others].map((tool) => tool.name).sort() };
}

/** Only ASCII letters fold: `toLowerCase` would also turn a Kelvin sign into a k. */
const fold = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll('-', '_');
