import type { Addresses } from '@writ/stack';
import { CutLink } from './cut-link';

interface Pair {
  readonly store: CutLink;
  readonly broker: CutLink;
}

/** For each process that is to be cut off, the only ways by which it reaches store and broker. */
export class Links {
  private readonly pairs = new Map<string, Pair>();

  constructor(private readonly addresses: Addresses) {}

  /** The environment of a process behind its links. */
  async environmentOf(name: string): Promise<Record<string, string>> {
    const { eventstore, nats } = this.addresses;
    const pair = this.pairs.get(name) ?? {
      store: await CutLink.to(eventstore),
      broker: await CutLink.to(nats),
    };
    this.pairs.set(name, pair);
    return {
      WRIT_EVENTSTORE_URL: behind(eventstore, pair.store),
      WRIT_NATS_URL: behind(nats, pair.broker),
    };
  }

  cut(name: string): void {
    for (const link of this.of(name)) link.cut();
  }

  heal(name: string): void {
    for (const link of this.of(name)) link.heal();
  }

  async close(): Promise<void> {
    await Promise.all([...this.pairs.keys()].flatMap((name) => this.of(name)).map((link) => link.close()));
  }

  private of(name: string): readonly CutLink[] {
    const pair = this.pairs.get(name);
    return pair === undefined ? [] : [pair.store, pair.broker];
  }
}

function behind(url: string, link: CutLink): string {
  return url.replace(/:\d+/, `:${link.port}`);
}
