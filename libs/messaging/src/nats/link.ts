/**
 * One connection to the broker, for ever: dialled in the background, dialled again whenever it is lost.
 *
 * The client's own reconnecting is off. A new connection starts with nothing buffered and nothing subscribed, so an outage
 * can neither fill memory nor double a subscription; first connect and reconnect are the same code; and `close` ends it at once.
 */
import { connect, DebugEvents, type ConnectionOptions, type NatsConnection } from 'nats';
import type { BusPorts } from '../observed-bus';
import { worthLogging } from '../counters';
import { CLOSE_FLUSH_MS, CONNECT_TIMEOUT_MS, MAX_PINGS_OUT, PING_INTERVAL_MS, RETRY_MAX_MS } from '../limits';
import { retryDelay, waitAtMost } from '../waiting';
import { parseServerAddress } from './server-address';

/** One connection from its start to its end. */
export interface Session {
  readonly connection: NatsConnection;
  readonly ended: AbortSignal;
}

export interface Link {
  session(): Session | undefined;
  /** Called for the present session, if there is one, and for each later one. Returns the way to stop. */
  onSession(start: (session: Session) => void): () => void;
  close(): Promise<void>;
}

export interface LinkOptions extends BusPorts {
  readonly url: string;
  readonly name: string;
}

export function openLink(options: LinkOptions): Link {
  const { log, clock, entropy } = options;
  const dialling: ConnectionOptions = {
    ...parseServerAddress(options.url),
    name: options.name,
    reconnect: false,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_PINGS_OUT,
    noAsyncTraces: true,
  };
  const closing = new AbortController();
  const starters = new Set<(session: Session) => void>();
  let current: Session | undefined;

  async function hold(connection: NatsConnection): Promise<void> {
    const ended = new AbortController();
    const session = { connection, ended: ended.signal };
    current = session;
    log.info('bus_connected', { server: connection.getServer() });
    for (const start of [...starters]) start(session);
    await Promise.race([connection.closed(), goneStale(connection)]);
    current = undefined;
    ended.abort();
    if (!closing.signal.aborted) log.warn('bus_disconnected', { server: connection.getServer() });
    void connection.close();
  }

  async function stayConnected(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const connection = await dial(dialling);
      if ('error' in connection) {
        failures += 1;
        if (worthLogging(failures)) log.warn('bus_connect_failed', { error: connection.error, failures });
      } else {
        const since = clock.monotonicMs();
        await (closing.signal.aborted ? connection.close() : hold(connection));
        // A server that accepts and hangs up is not hammered.
        failures = clock.monotonicMs() - since > RETRY_MAX_MS ? 0 : failures + 1;
      }
      await clock.sleep(retryDelay(failures, entropy), closing.signal);
    }
  }

  const ended = stayConnected();
  return {
    session: () => current,
    onSession(start) {
      starters.add(start);
      if (current !== undefined) start(current);
      return () => void starters.delete(start);
    },
    async close() {
      closing.abort();
      const connection = current?.connection;
      if (connection !== undefined) {
        await waitAtMost(clock, CLOSE_FLUSH_MS, connection.flush());
        await waitAtMost(clock, CLOSE_FLUSH_MS, connection.close());
      }
      await waitAtMost(clock, CONNECT_TIMEOUT_MS + CLOSE_FLUSH_MS, ended);
    },
  };
}

async function dial(options: ConnectionOptions): Promise<NatsConnection | { readonly error: string }> {
  try {
    return await connect(options);
  } catch (thrown) {
    return { error: thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown' };
  }
}

/** A peer that neither answers nor hangs up: the client says so, but closes only once its last bytes have left. */
async function goneStale(connection: NatsConnection): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === DebugEvents.StaleConnection) return;
  }
}
