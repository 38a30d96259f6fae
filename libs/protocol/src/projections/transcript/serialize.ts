import type { AnthropicTranscript, CanonicalTranscript, OpenaiTranscript } from '@writ/contracts';

/**
 * The one serialisation of a transcript: compact JSON, keys in the order in which the renderers put them together and,
 * inside recorded values, in recorded order; half surrogate pairs as `\udXXX` escapes. HTTP, command line and the
 * request to the model are these bytes (R14).
 */
export const serializeTranscript = (
  value: CanonicalTranscript | OpenaiTranscript | AnthropicTranscript,
): string => JSON.stringify(value);
