import { commandsStreamName, executeSubject, wakeSchema } from '@writ/contracts';
import { connect, type JsMsg, type NatsConnection } from 'nats';

/** Milliseconds between two sendings of what it kept. */
const everyMs = 300;
/** How long one pull waits, in milliseconds; the broker gives every waiting pull its share. */
const pullMs = 1_000;
/** Milliseconds by which a wake comes later. */
const delayMs = 1_500;
/** Wakes of one call that it takes away; its owner waits longer each time. */
const lostPerCall = 1;
/** So many of the newest wakes are sent again. */
const kept = 20;

/**
 * Somebody at the broker who takes the pool's wakes as one of its executors would, and treats them badly: some are gone,
 * some come later, and copies of all come again and again in the opposite order.
 */
export class Meddler {
  readonly did = { lost: 0, delayed: 0, copies: 0 };
  private readonly seen: Uint8Array[] = [];
  private readonly lostOf = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private stopping = false;
  private readonly taking: Promise<void>;

  private constructor(private readonly connection: NatsConnection) {
    this.timer = setInterval(() => this.returnCopies(), everyMs);
    this.taking = this.take();
  }

  static async at(url: string): Promise<Meddler> {
    return new Meddler(await connect({ servers: url }));
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.taking;
    await this.connection.close();
  }

  private async take(): Promise<void> {
    const consumer = await this.connection.jetstream().consumers.get(commandsStreamName, 'execute-default');
    while (!this.stopping) {
      const messages = await consumer.fetch({ max_messages: kept, expires: pullMs });
      for await (const message of messages) this.mistreat(message);
    }
  }

  private mistreat(message: JsMsg): void {
    this.seen.push(message.data);
    const { callId } = wakeSchema.parse(message.json());
    const lost = this.lostOf.get(callId) ?? 0;
    if (lost < lostPerCall && !this.stopping) {
      this.lostOf.set(callId, lost + 1);
      this.did.lost += 1;
      message.ack();
    } else {
      this.did.delayed += 1;
      message.nak(delayMs);
    }
  }

  private returnCopies(): void {
    for (const data of this.seen.slice(-kept).reverse()) {
      this.did.copies += 1;
      this.connection.publish(executeSubject('default'), data);
    }
  }
}
