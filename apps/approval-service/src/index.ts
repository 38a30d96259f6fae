/** The approval-service: what waits for a person, from the log. Decisions are not taken here yet. Nothing imports it. */
export {};
