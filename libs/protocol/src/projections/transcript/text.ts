import type { ContentPart, Json } from '@writ/contracts';

/** Replaces half surrogate pairs: one of them makes a whole request invalid for a provider, for good. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** The same value with well-formed keys and texts. */
export function wellFormedJson(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [wellFormed(key), wellFormedJson(inner)]),
  );
}

/** A part with its keys in one order, so that a live part and a replayed one give the same bytes (R14). */
export function orderedPart(part: ContentPart): ContentPart {
  switch (part.type) {
    case 'text':
      return { type: part.type, text: part.text };
    case 'json':
      return { type: part.type, value: part.value };
    case 'blob':
      return {
        type: part.type,
        mediaType: part.mediaType,
        size: part.size,
        sha256: part.sha256,
        preview: part.preview,
      };
  }
}
