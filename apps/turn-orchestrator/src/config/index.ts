/** `writ.config.yaml` from text to what the runtime needs: parsed, checked and compiled once, at start-up. */
export { loadWritConfig, type LoadedConfig, type LoadedWritConfig } from './load-writ-config';
