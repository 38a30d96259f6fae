/**
 * The transcript: a fold over acknowledged events, and its three renderings (R14, A8). `fold.ts` collects what the
 * record says, `conversation.ts` decides what a provider may be shown (R7, R13), `openai.ts` and `anthropic.ts` only
 * give it a shape. Accepts every recorded fact; whether the facts are right is asked by ../../invariants.
 */
export { toAnthropic } from './anthropic';
export { toCanonical } from './canonical';
export { foldTranscript } from './fold';
export { toOpenai } from './openai';
export { serializeTranscript } from './serialize';
export { emptyTranscript, type TranscriptState } from './state';
