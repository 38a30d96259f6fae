/** What the command says to programs (interfaces.md, Commands). */
export const exitCodes = {
  good: 0,
  finding: 1,
  wrongUsage: 2,
  cannotReach: 3,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
