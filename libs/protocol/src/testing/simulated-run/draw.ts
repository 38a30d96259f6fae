/** Every choice of a simulated run comes from one list of numbers, so that a failing run can be shrunk and repeated. */
export class Draw {
  private next = 0;
  private digests = 0;

  constructor(private readonly numbers: readonly number[]) {}

  get isEmpty(): boolean {
    return this.next >= this.numbers.length;
  }

  /** Begins anew once the list is used up. */
  below(limit: number): number {
    const number = this.numbers[this.next % this.numbers.length] ?? 0;
    this.next += 1;
    return number % limit;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 1;
  }

  of<T>(values: readonly T[]): T | undefined {
    return values.length === 0 ? undefined : values[this.below(values.length)];
  }

  /** A digest that no other event has. */
  digest(): string {
    this.digests += 1;
    return `sha256:${this.digests.toString(16).padStart(64, '0')}`;
  }
}
