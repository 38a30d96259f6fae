import { type Fault, type FaultTarget, matches } from './fault';

export type ArmedFault = Fault & { id: string; hits: number };

/** The armed faults of one server, in the order in which they were armed. */
export class FaultRegistry {
  private armed: ArmedFault[] = [];
  private held: (() => void)[] = [];
  private lastId = 0;

  /** Arms a fault and returns its id. */
  arm(fault: Fault): string {
    const id = `fault-${++this.lastId}`;
    this.armed.push({ ...fault, id, hits: 0 });
    return id;
  }

  /** All faults since the last heal, those that are used up included. */
  list(): readonly ArmedFault[] {
    return this.armed;
  }

  /** The fault that acts on this request, if any; counts the hit. */
  strike(target: FaultTarget): Fault | undefined {
    const fault = this.armed.find(
      (candidate) =>
        (candidate.times === undefined || candidate.hits < candidate.times) && matches(candidate, target),
    );
    if (fault !== undefined) fault.hits += 1;
    return fault;
  }

  /** Resolves when the faults are healed. */
  untilHealed(): Promise<void> {
    return new Promise((resolve) => this.held.push(resolve));
  }

  /** Forgets all faults and lets go what is held, in the order in which it was held. */
  heal(): void {
    this.armed = [];
    const held = this.held;
    this.held = [];
    for (const release of held) release();
  }
}
