/**
 * What providers call a reply that did not come to its own end: an output or context limit, a filter, a lack of
 * machines. Lower case, `_` for `-` and blanks. A word that is not here says nothing about a cut, nor does a missing one:
 * then the text of the arguments is the evidence (`ends_early`).
 */
export const cutReasons = [
  'length',
  'max_tokens',
  'max_output_tokens',
  'model_length',
  'model_context_window_exceeded',
  'content_filter',
  'safety',
  'recitation',
  'incomplete',
  'insufficient_system_resource',
  'network_error',
  'error',
  'abort',
  'aborted',
  'cancelled',
] as const;

const words: ReadonlySet<string> = new Set(cutReasons);

/** Whether the finish reason, as the provider gave it, says that the reply was cut. */
export const wasCut = (finishReason: string): boolean =>
  words.has(finishReason.trim().toLowerCase().replace(/[- ]/g, '_'));
