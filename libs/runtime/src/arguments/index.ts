/**
 * From a model's raw text to arguments, strictly (protocol 2, "Arguments and digest"): what was approved, hashed, run
 * and shown is one value, so a text that could be read in two ways is refused and nothing is repaired.
 */
export { argumentsDigest, rawDigest } from './digests';
export { readArguments, type ArgumentLimits, type ReadArguments } from './read-arguments';
export { readWrapped, type ReadWrapped, type WrappedCall } from './read-wrapped';
export { keptText } from './kept-text';
