import { catalogStream, type PublishedTool } from '@writ/contracts';
import { digestOf } from '../digest';
import { appendSealed } from '../journal/append';
import { readNewest } from '../journal/read';
import { seal, type SealContext } from '../journal/seal';
import type { Clock, Entropy, EventStore } from '../ports';

/** Publishes what a pool can do, only when it differs from what is on record; answers whether it now stands there. */
export async function publishManifest(
  edge: { readonly store: EventStore; readonly clock: Clock; readonly entropy: Entropy },
  manifest: { readonly pool: string; readonly tools: readonly PublishedTool[] },
  context: SealContext,
): Promise<boolean> {
  const tools = [...manifest.tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  const digest = digestOf(tools);
  const stream = catalogStream(manifest.pool);
  const newest = await readNewest(edge.store, stream);
  if (newest.outcome !== 'events' && newest.outcome !== 'not_found') return false;
  const previous = newest.outcome === 'events' ? newest.events[0] : undefined;
  if (previous?.type === 'ToolManifestPublished' && previous.data.digest === digest) return true;
  const head = {
    stream,
    revision: previous?.revision ?? ('no_stream' as const),
    lastDigest: previous?.metadata.digest ?? null,
  };
  const draft = { type: 'ToolManifestPublished' as const, data: { pool: manifest.pool, digest, tools } };
  const outcome = await appendSealed(edge.store, seal(edge, head, { drafts: [draft], context }));
  return outcome.outcome === 'acknowledged';
}
