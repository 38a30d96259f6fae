/** The turn-orchestrator: sessions and turns over HTTP, each driven by what its streams leave to do. Nothing imports it. */
export {};
