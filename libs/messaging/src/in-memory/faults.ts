/** How a simulation disturbs the broker: each message asks once what becomes of it. */

/** `copies` 0 loses it, 2 doubles it; unequal delays reorder. */
export interface Fate {
  readonly copies: number;
  /** Before it is stored or delivered, in ms. */
  readonly delayMs: number;
}

/** What the publisher is told need not be what happened (F26). */
export interface CommandFate extends Fate {
  readonly told: 'published' | 'unknown';
}

export interface BrokerFaults {
  command(subject: string): CommandFate;
  hint(subject: string): Fate;
}

export const noFaults: BrokerFaults = {
  command: () => ({ copies: 1, delayMs: 0, told: 'published' }),
  hint: () => ({ copies: 1, delayMs: 0 }),
};
