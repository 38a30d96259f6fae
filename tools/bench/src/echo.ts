import { connect } from 'nats';

/** The other process of a NATS round trip: answers what it is sent until it is killed. */
async function echo(): Promise<void> {
  const connection = await connect({ servers: process.argv[2] ?? '' });
  connection.subscribe('writ.bench.echo', { callback: (_error, message) => message.respond(message.data) });
  await connection.flush();
  process.send?.('ready');
}

void echo();
