import { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';

export type AppendCall = ReturnType<StreamsClient['batchAppend']>;
export type ReadCall = ReturnType<StreamsClient['read']>;

/** Milliseconds that a keepalive ping may stay unanswered; what is added tells one connection from the next. */
const KEEPALIVE_TIMEOUT_MS = 5_000;
const CONNECTION_NUMBERS = 1_000;

/** gRPC pools connections for the whole process, so their numbers must be unique in it. */
let connectionsOpened = 0;

/** One client, its channel, and the calls on it. */
export class Link {
  readonly #client: EventStoreDBClient;
  #streams: StreamsClient | undefined;
  #closed = false;

  /** @throws where the URL is no connection string */
  constructor(url: string) {
    connectionsOpened += 1;
    this.#client = openClient(url, KEEPALIVE_TIMEOUT_MS + (connectionsOpened % CONNECTION_NUMBERS));
  }

  openAppends(): Promise<AppendCall> {
    return this.#open('appends', (streams) => streams.batchAppend(...this.#callArguments()));
  }

  /** Reads and subscriptions; whoever decides by them wants the leader's word. */
  openRead(request: ReadReq): Promise<ReadCall> {
    return this.#open('read', (streams) => streams.read(request, ...this.#callArguments()));
  }

  /** No new calls; those under way go on or are cancelled by who made them. */
  close(): void {
    this.#closed = true;
    this.#streams?.close();
  }

  // The client's typed calls are passed by, its connection is not: decision 0009 says why.
  #open<T extends AppendCall | ReadCall>(name: string, call: (streams: StreamsClient) => T): Promise<T> {
    return this.#client['GRPCStreamCreator'](StreamsClient, name, (streams) => {
      this.#streams = streams;
      if (this.#closed) streams.close();
      const opened = call(streams);
      // Who waits for the call hears of it as well; without any listener an error would end the process.
      opened.on('error', () => undefined);
      return opened;
    })();
  }

  #callArguments() {
    return this.#client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
  }
}

/**
 * The link that new calls take. A link that has failed is left behind for a new one, on its own TCP connection: grpc-js
 * shares connections between channels of the same address and options, the broken ones too.
 */
export class Connection {
  readonly #url: string;
  #link: Link;

  constructor(url: string) {
    this.#url = url;
    this.#link = new Link(url);
  }

  get link(): Link {
    return this.#link;
  }

  /** Does nothing where somebody else has already left this link. */
  leave(failed: Link): void {
    if (failed !== this.#link) return;
    this.#link = new Link(this.#url);
    failed.close();
  }

  close(): void {
    this.#link.close();
  }
}

function openClient(url: string, keepAliveTimeoutMs: number): EventStoreDBClient {
  const separator = url.includes('?') ? '&' : '?';
  try {
    return tamed(
      EventStoreDBClient.connectionString(`${url}${separator}keepAliveTimeout=${keepAliveTimeoutMs}`),
    );
  } catch {
    // The client quotes the URL in its message, and with it perhaps a password.
    throw new TypeError('the event store URL is no esdb:// connection string that the client understands');
  }
}

/** The client looks into each failed call unwaited for, and throws where an error lacks a trailer: that would end the process. */
function tamed(client: EventStoreDBClient): EventStoreDBClient {
  const handleError = client['handleError'];
  client['handleError'] = (streams, error) => handleError(streams, error).catch(() => undefined);
  return client;
}
