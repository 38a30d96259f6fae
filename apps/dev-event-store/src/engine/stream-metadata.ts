import { z } from 'zod';

/** int64 max: as `$tb` it marks a soft-deleted stream. It does not survive JSON.parse exactly, hence the comparison. */
const DELETED_FROM = 2 ** 63;

/** What a stream's metadata says about reading it; `$$x` is the metadata stream of `x`. */
export interface StreamMetadata {
  /** Events below this revision are not shown. */
  truncateBefore: number;
  maxCount: number;
  maxAgeMs: number;
  softDeleted: boolean;
  /** The whole object as it was written, for the rewrite when a soft-deleted stream is reopened. */
  raw: Record<string, unknown>;
}

export const NO_METADATA: StreamMetadata = {
  truncateBefore: 0,
  maxCount: Infinity,
  maxAgeMs: Infinity,
  softDeleted: false,
  raw: {},
};

/** EventStoreDB keeps one event of every metadata stream. */
export const METADATA_STREAM_METADATA: StreamMetadata = { ...NO_METADATA, maxCount: 1 };

export const METADATA_EVENT = '$metadata';
export const TOMBSTONE_EVENT = '$streamDeleted';

/** The body of a soft delete, written by hand because the number is beyond JavaScript's. */
export const SOFT_DELETE_BODY = Buffer.from('{"$tb":9223372036854775807}');

const metadataSchema = z.looseObject({
  $tb: z.number().nonnegative().optional(),
  $maxCount: z.number().positive().optional(),
  $maxAge: z.number().positive().optional(),
});

/** As the real server does, anything that is not valid metadata counts as none. */
export function parseStreamMetadata(body: Uint8Array): StreamMetadata {
  const parsed = metadataSchema.safeParse(parseJson(body));
  if (!parsed.success) return NO_METADATA;
  const { $tb, $maxCount, $maxAge } = parsed.data;
  return {
    truncateBefore: $tb ?? 0,
    maxCount: $maxCount ?? Infinity,
    maxAgeMs: $maxAge === undefined ? Infinity : $maxAge * 1000,
    softDeleted: $tb !== undefined && $tb >= DELETED_FROM,
    raw: parsed.data,
  };
}

/** The metadata of a soft-deleted stream that goes on at `revision`. */
export function reopenedMetadata(metadata: StreamMetadata, revision: number): Buffer {
  return Buffer.from(JSON.stringify({ ...metadata.raw, $tb: revision }));
}

export function metadataStreamOf(stream: string): string {
  return `$$${stream}`;
}

/** The stream that `stream` holds the metadata of, or undefined if it is no metadata stream. */
export function describedStream(stream: string): string | undefined {
  return stream.startsWith('$$') ? stream.slice(2) : undefined;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
