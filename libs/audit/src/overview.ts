import {
  instanceId,
  leaseStream,
  streamPrefixes,
  type EventData,
  type LeaseEndReason,
  type WorkState,
  type WritEvent,
} from '@writ/contracts';
import { emptyWork, foldWork } from '@writ/protocol';
import type { EventStore } from '@writ/runtime';
import { collect } from './collect';
import type { Unavailable } from './read-streams';

/** The open work of the whole log. */
export async function readWork(
  store: EventStore,
): Promise<{ readonly outcome: 'work'; readonly work: WorkState } | Unavailable> {
  const { session, call, lease } = streamPrefixes;
  const read = await collect(store, [session, call, lease]);
  if (read.outcome === 'unavailable') return read;
  return { outcome: 'work', work: read.events.reduce(foldWork, emptyWork()) };
}

export type Manifest = EventData<'ToolManifestPublished'> & { readonly publishedAt: string };

/** The newest manifest of each pool, by name of the pool. */
export async function readManifests(
  store: EventStore,
): Promise<{ readonly outcome: 'manifests'; readonly manifests: readonly Manifest[] } | Unavailable> {
  const read = await collect(store, [streamPrefixes.catalog]);
  if (read.outcome === 'unavailable') return read;
  const newest = new Map<string, Manifest>();
  for (const event of read.events) {
    if (event.type !== 'ToolManifestPublished') continue;
    newest.set(event.data.pool, { ...event.data, publishedAt: event.metadata.at });
  }
  const manifests = [...newest.values()].sort((a, b) => (a.pool < b.pool ? -1 : 1));
  return { outcome: 'manifests', manifests };
}

export interface InstanceStanding {
  readonly instance: string;
  readonly started: EventData<'InstanceStarted'>;
  readonly startedAt: string;
  /** `none`: it has held nothing yet. `renewed` says nothing of now: an idle holder renews nothing. */
  readonly lease:
    | { readonly status: 'none' }
    | { readonly status: 'renewed'; readonly at: string }
    | { readonly status: 'ended'; readonly at: string; readonly reason: LeaseEndReason; readonly by: string };
}

/** The newest incarnation of every instance, by name. */
export async function readInstances(
  store: EventStore,
): Promise<{ readonly outcome: 'instances'; readonly instances: readonly InstanceStanding[] } | Unavailable> {
  const read = await collect(store, [streamPrefixes.instance, streamPrefixes.lease]);
  if (read.outcome === 'unavailable') return read;
  const newest = new Map<string, WritEvent<'InstanceStarted'>>();
  const leases = new Map<string, WritEvent>();
  for (const event of read.events) {
    if (event.type === 'InstanceStarted') newest.set(event.stream, event);
    if (event.type === 'LeaseRenewed' || event.type === 'LeaseEnded') leases.set(event.stream, event);
  }
  const instances = [...newest.values()].map((started): InstanceStanding => {
    const instance = instanceId(started.data.service, started.data.name, started.revision);
    const lease = leaseOf(leases.get(leaseStream(instance)));
    return { instance, started: started.data, startedAt: started.metadata.at, lease };
  });
  return { outcome: 'instances', instances: instances.sort((a, b) => (a.instance < b.instance ? -1 : 1)) };
}

function leaseOf(event: WritEvent | undefined): InstanceStanding['lease'] {
  const at = event?.metadata.at ?? '';
  if (event?.type === 'LeaseRenewed') return { status: 'renewed', at };
  if (event?.type !== 'LeaseEnded') return { status: 'none' };
  return { status: 'ended', at, reason: event.data.reason, by: event.data.by };
}
