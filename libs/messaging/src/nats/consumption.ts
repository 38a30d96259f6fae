/** One pool's deliveries, over all sessions, until drained. */
import type { ConsumeOptions, Consumption } from '@writ/runtime';
import type { JsMsg } from 'nats';
import { answerDelivery, type DeliveryAnswer } from '../answer-delivery';
import { worthLogging, type Counting } from '../counters';
import type { BusLimits } from '../limits';
import type { BusPorts } from '../observed-bus';
import type { CommandQueue } from '../queues';
import { retryDelay, waitAtMost } from '../waiting';
import { errorCode } from './error-code';
import type { Link, Session } from './link';
import { pullWhileUp } from './pull-loop';
import { ensureCommandsStream, ensureConsumer } from './topology';

export interface AttachedConsumption extends Consumption {
  /** Whether its durable consumer is known to exist in the present session. */
  attached(): boolean;
}

export interface ConsumptionContext extends BusPorts {
  readonly link: Link;
  readonly counting: Counting;
  readonly limits: BusLimits;
}

export function startConsumption(
  queue: CommandQueue,
  options: ConsumeOptions,
  context: ConsumptionContext,
): AttachedConsumption {
  const { link, log, clock, entropy, counting, limits } = context;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let attachedIn: Session | undefined;

  function take(message: JsMsg): Promise<void> {
    if (message.redelivered) counting.add('redelivered');
    if (stopping.signal.aborted) {
      message.nak();
      return Promise.resolve();
    }
    const work = answerDelivery(message.data, options, context).then((answer) => settle(message, answer));
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  }

  async function serve(session: Session): Promise<void> {
    const halt = AbortSignal.any([session.ended, stopping.signal]);
    for (let failures = 0; !halt.aborted; failures += 1) {
      try {
        // Not left to the stream's keeper: a consumer must not race it at the first start.
        await ensureCommandsStream(session.connection);
        const consumer = await ensureConsumer(session.connection, queue, limits.ackWaitMs);
        attachedIn = session;
        failures = 0;
        const room = () => options.free() - underWay.size;
        await pullWhileUp({ consumer, clock, halt, room, take });
      } catch (thrown) {
        attachedIn = undefined;
        if (halt.aborted) return;
        if (worthLogging(failures + 1)) {
          log.error('bus_consumer_lost', { durable: queue.durable, error: errorCode(thrown) });
        }
        await clock.sleep(retryDelay(failures, entropy), halt);
      }
    }
  }

  const forget = link.onSession((session) => void serve(session));
  return {
    attached: () => stopping.signal.aborted || (attachedIn !== undefined && attachedIn === link.session()),
    async drain(timeoutMs) {
      stopping.abort();
      forget();
      await waitAtMost(clock, timeoutMs, Promise.all(underWay));
    },
  };
}

/** Unheard answers (the connection is gone) cost a redelivery, no more. */
function settle(message: JsMsg, answer: DeliveryAnswer): void {
  if (answer.verdict === 'ack') message.ack();
  else if (answer.verdict === 'nak') message.nak(answer.delayMs);
  else message.term();
}
