/**
 * Models behind the runtime's `Model` port: any endpoint that speaks chat completions, and a script.
 * Owns one try of one step and what its failure is called; repeats nothing and repairs nothing (F09, F21): argument
 * texts, ids and finish reasons are handed on as they were sent.
 */
export * from './openai';
export * from './scripted';
