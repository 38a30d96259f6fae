/** The tool-executor: verifies, claims, runs and commits. A composition root; nothing imports it. */
export {};
