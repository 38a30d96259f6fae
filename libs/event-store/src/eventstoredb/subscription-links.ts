import { SUBSCRIPTIONS_PER_CONNECTION } from '../limits';
import { Connection, type Link } from './connection';

export interface SubscriptionLink {
  readonly link: Link;
  /** Gives the place back; `failed` says that the connection may be at fault. */
  release(failed: boolean): void;
}

/** Connections for subscriptions, apart from those for appends and reads, so many to each as servers allow. */
export class SubscriptionLinks {
  readonly #url: string;
  readonly #taken = new Map<Connection, number>();

  constructor(url: string) {
    this.#url = url;
  }

  take(): SubscriptionLink {
    const connection = this.#withRoom() ?? new Connection(this.#url);
    this.#taken.set(connection, (this.#taken.get(connection) ?? 0) + 1);
    const { link } = connection;
    let isReleased = false;
    return {
      link,
      release: (failed) => {
        if (isReleased) return;
        isReleased = true;
        if (failed) connection.leave(link);
        this.#release(connection);
      },
    };
  }

  close(): void {
    for (const connection of this.#taken.keys()) connection.close();
  }

  #withRoom(): Connection | undefined {
    for (const [connection, taken] of this.#taken)
      if (taken < SUBSCRIPTIONS_PER_CONNECTION) return connection;
    return undefined;
  }

  /** The last one that nobody uses stays open for the next. */
  #release(connection: Connection): void {
    const left = (this.#taken.get(connection) ?? 1) - 1;
    this.#taken.set(connection, left);
    if (left > 0 || this.#taken.size === 1) return;
    this.#taken.delete(connection);
    connection.close();
  }
}
