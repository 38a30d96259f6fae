/** Throws where something cannot be so unless the code or the record is broken. The text names no value of a call. */
export function assert(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Error(`protocol: ${problem}`);
}
