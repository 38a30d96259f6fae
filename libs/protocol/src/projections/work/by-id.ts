/**
 * A map by id that is never changed in place. It is cut into buckets, so that an update copies one of them: the cost of
 * an event then does not grow with every session there ever was. Plain arrays and objects, hence plain JSON.
 */
export type ById<T> = { [id: string]: T }[];

/** A million entries leave about a thousand per bucket. */
const bucketCount = 1024;

export const emptyById = <T>(): ById<T> => Array.from({ length: bucketCount }, () => ({}));

export const findById = <T>(map: ById<T>, id: string): T | undefined => map[bucketOf(id)]?.[id];

export const withEntry = <T>(map: ById<T>, id: string, entry: T): ById<T> =>
  map.with(bucketOf(id), { ...map[bucketOf(id)], [id]: entry });

export function withoutEntry<T>(map: ById<T>, id: string): ById<T> {
  const bucket = map[bucketOf(id)];
  if (bucket?.[id] === undefined) return map;
  const { [id]: _removed, ...rest } = bucket;
  return map.with(bucketOf(id), rest);
}

export const entriesOf = <T>(map: ById<T>): T[] => map.flatMap((bucket) => Object.values(bucket));

/** FNV-1a over the characters of the id. */
function bucketOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % bucketCount;
}
