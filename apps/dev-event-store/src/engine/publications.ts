/** Wakes those who wait for new visible events. */
export class Publications {
  private readonly listeners = new Set<() => void>();

  announce(): void {
    for (const listener of this.listeners) listener();
  }

  /** Calls `listener` after every publication until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
