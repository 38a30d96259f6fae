import type { StoredEvent } from './event-codec';

const FIRST_CAPACITY = 1024;

/**
 * What is kept in memory of every event, in log order: enough to answer every check and every filter without the
 * disk; bodies stay in the log. About 60 bytes per event.
 *
 * An event is named by its *sequence*, its index here. Events below `visible` are on stable storage; the others count
 * for version checks but nobody may see them yet.
 */
export class EventTable {
  private capacity = FIRST_CAPACITY;
  private ids = Buffer.allocUnsafe(FIRST_CAPACITY * 16);
  private positions = new Float64Array(FIRST_CAPACITY);
  private sizes = new Uint32Array(FIRST_CAPACITY);
  private created = new Float64Array(FIRST_CAPACITY);
  private streams = new Uint32Array(FIRST_CAPACITY);
  private types = new Uint32Array(FIRST_CAPACITY);
  private readonly typeNumbers = new Map<string, number>();
  private readonly typeNames: string[] = [];
  private used = 0;

  get count(): number {
    return this.used;
  }

  /** Adds an event and returns its sequence. */
  add(event: StoredEvent, place: { position: number; size: number; stream: number }): number {
    if (this.used === this.capacity) this.grow();
    const sequence = this.used++;
    this.ids.set(event.id, sequence * 16);
    this.positions[sequence] = place.position;
    this.sizes[sequence] = place.size;
    this.created[sequence] = event.createdMs;
    this.streams[sequence] = place.stream;
    this.types[sequence] = this.typeNumber(event.type);
    return sequence;
  }

  hasId(sequence: number, id: Buffer): boolean {
    return this.ids.compare(id, 0, 16, sequence * 16, sequence * 16 + 16) === 0;
  }

  position(sequence: number): number {
    return this.positions[sequence] ?? 0;
  }

  size(sequence: number): number {
    return this.sizes[sequence] ?? 0;
  }

  createdMs(sequence: number): number {
    return this.created[sequence] ?? 0;
  }

  stream(sequence: number): number {
    return this.streams[sequence] ?? 0;
  }

  type(sequence: number): string {
    return this.typeNames[this.types[sequence] ?? 0] ?? '';
  }

  /** The first sequence, up to `limit`, whose position is at least `position`. */
  firstAtOrAfter(position: number, limit: number): number {
    let low = 0;
    let high = limit;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.position(middle) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private typeNumber(type: string): number {
    const known = this.typeNumbers.get(type);
    if (known !== undefined) return known;
    const number = this.typeNames.push(type) - 1;
    this.typeNumbers.set(type, number);
    return number;
  }

  private grow(): void {
    this.capacity *= 2;
    const ids = Buffer.allocUnsafe(this.capacity * 16);
    this.ids.copy(ids);
    this.ids = ids;
    this.positions = copied(this.positions, new Float64Array(this.capacity));
    this.sizes = copied(this.sizes, new Uint32Array(this.capacity));
    this.created = copied(this.created, new Float64Array(this.capacity));
    this.streams = copied(this.streams, new Uint32Array(this.capacity));
    this.types = copied(this.types, new Uint32Array(this.capacity));
  }
}

function copied<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
