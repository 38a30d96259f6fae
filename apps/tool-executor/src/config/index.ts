/** `writ.tools.yaml` from text to what an executor loads: parsed and checked once, at start-up. */
export { loadWritTools, type LoadedTools, type LoadedWritTools } from './load-writ-tools';
