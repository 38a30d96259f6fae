/** Whole-system tests over real processes. Nothing imports them. */
export {};
