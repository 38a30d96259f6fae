import { readManifests } from '@writ/audit';
import type { EffectClass } from '@writ/contracts';
import type { EventStore } from '@writ/runtime';

export type KnownEffect =
  { readonly ok: true; readonly effect: EffectClass } | { readonly ok: false; readonly problem: string };

/** Answers what effect class the manifests on record give to a tool; the store is asked at the first question. */
export function knownEffects(store: EventStore): (tool: string) => Promise<KnownEffect> {
  let reading: ReturnType<typeof readManifests> | undefined;
  return async (tool) => {
    const read = await (reading ??= readManifests(store));
    if (read.outcome === 'unavailable')
      return missing('the store, whose manifests would name it, cannot be reached');
    const classes = read.manifests.flatMap(({ tools }) =>
      tools.filter(({ name }) => name === tool).map(({ effectClass }) => effectClass),
    );
    const [effect, ...others] = new Set(classes);
    if (effect === undefined) return missing('no pool has published the tool');
    return others.length === 0 ? { ok: true, effect } : missing('pools have published the tool with several');
  };
}

const missing = (why: string): KnownEffect => ({ ok: false, problem: `must be given: ${why}` });
