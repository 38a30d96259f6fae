/** Bounds of this library, with their units. */
export const modelLimits = {
  /** A provider's word (finish reason, model name) longer than this is no word; characters. */
  longestWord: 200,
  /** The longest wait that a Node timer can hold, in milliseconds. */
  longestTimerMs: 2 ** 31 - 1,
} as const;
