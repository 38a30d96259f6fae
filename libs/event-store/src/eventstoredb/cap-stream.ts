import type { AppendOutcome, Entropy } from '@writ/runtime';
import { z } from 'zod';
import { encodedAppend } from '../preconditions';
import type { Appender } from './appender';
import type { Reader } from './reader';

const capSchema = z.object({ $maxCount: z.number() });

/** What capping needs of the adapter. */
export interface CapStreamOptions {
  readonly appender: Appender;
  readonly reader: Reader;
  readonly entropy: Entropy;
}

/**
 * Sets `$maxCount` in the stream's own metadata, at an exact revision like every append. Doing it again changes
 * nothing, so an unknown outcome may simply be tried again.
 */
export async function capStream(
  stream: string,
  maxCount: number,
  { appender, reader, entropy }: CapStreamOptions,
): Promise<AppendOutcome> {
  const metastream = `$$${stream}`;
  const data = JSON.stringify({ $maxCount: maxCount });
  const metadata = encodedAppend([{ id: entropy.uuid(), type: '$metadata', data, metadata: '' }]);
  const first = await appender.append(metastream, 'no_stream', metadata);
  if (first.outcome !== 'conflict') return first;
  const read = await reader.readStream(metastream, { direction: 'backwards', from: 'end', maxCount: 1 });
  if (read.outcome === 'unavailable') return { outcome: 'unknown', cause: read.cause };
  const newest = read.outcome === 'events' ? read.events[0] : undefined;
  if (newest === undefined) return first;
  const cap = capSchema.safeParse(newest.data);
  return cap.success && cap.data.$maxCount === maxCount
    ? { outcome: 'acknowledged', revision: newest.revision, repeated: false }
    : appender.append(metastream, newest.revision, metadata);
}
