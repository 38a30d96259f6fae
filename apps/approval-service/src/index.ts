/** The approval-service: what waits for a person, the answers, and the deadlines, all on record. Nothing imports it. */
export {};
