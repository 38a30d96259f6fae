/**
 * A map by id that is never changed in place. It is cut into shelves of buckets, so that an update copies one shelf and
 * one bucket: the cost of an event then does not grow with every session there ever was. Plain arrays and objects, hence
 * plain JSON; a shelf is empty until something stands on it.
 */
export type ById<T> = { [id: string]: T }[][];

/** A million entries leave about a thousand per bucket. */
const shelfCount = 32;
const bucketsOfShelf = 32;

const emptyShelf = <T>(): ById<T>[number] => Array.from({ length: bucketsOfShelf }, () => ({}));

export const emptyById = <T>(): ById<T> => Array.from({ length: shelfCount }, () => []);

export function findById<T>(map: ById<T>, id: string): T | undefined {
  const { shelf, bucket } = placeOf(id);
  return map[shelf]?.[bucket]?.[id];
}

export function withEntry<T>(map: ById<T>, id: string, entry: T): ById<T> {
  const { shelf, bucket } = placeOf(id);
  const buckets = map[shelf]?.length ? map[shelf] : emptyShelf<T>();
  return map.with(shelf, buckets.with(bucket, { ...buckets[bucket], [id]: entry }));
}

export function withoutEntry<T>(map: ById<T>, id: string): ById<T> {
  const { shelf, bucket } = placeOf(id);
  const buckets = map[shelf];
  if (buckets?.[bucket]?.[id] === undefined) return map;
  const { [id]: _removed, ...rest } = buckets[bucket];
  return map.with(shelf, buckets.with(bucket, rest));
}

export function entriesOf<T>(map: ById<T>): T[] {
  const entries: T[] = [];
  // Most buckets are empty, and this is asked several times a second.
  for (const shelf of map)
    for (const bucket of shelf) for (const entry of Object.values(bucket)) entries.push(entry);
  return entries;
}

/** FNV-1a over the characters of the id. */
function placeOf(id: string): { readonly shelf: number; readonly bucket: number } {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  const place = (hash >>> 0) % (shelfCount * bucketsOfShelf);
  return { shelf: Math.floor(place / bucketsOfShelf), bucket: place % bucketsOfShelf };
}
