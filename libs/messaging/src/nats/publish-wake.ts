/** A wake into the stream. Says `published` only after the broker's acknowledgement; never throws. */
import { commandsStreamName, type Wake } from '@writ/contracts';
import type { PublishOutcome } from '@writ/runtime';
import { ErrorCode, NatsError } from 'nats';
import { encodeWake } from '../codec';
import { worthLogging, type Counting } from '../counters';
import type { BusLimits } from '../limits';
import type { BusPorts } from '../observed-bus';
import type { Link } from './link';
import type { StreamKeeper } from './stream-keeper';
import { errorCode } from './error-code';

export interface PublishingOptions extends Pick<BusPorts, 'log' | 'entropy'> {
  readonly link: Link;
  readonly stream: StreamKeeper;
  readonly counting: Counting;
  readonly limits: BusLimits;
}

export async function publishWake(
  subject: string,
  wake: Wake,
  options: PublishingOptions,
): Promise<PublishOutcome> {
  const { link, stream, counting, limits, log, entropy } = options;
  const bytes = encodeWake(wake);
  const session = link.session();
  if (bytes === undefined) log.error('wake_too_large', { callId: wake.callId });
  if (bytes === undefined || session === undefined) {
    counting.add('unknown');
    return 'unknown';
  }
  try {
    await session.connection.jetstream().publish(subject, bytes, {
      msgID: entropy.uuid(),
      timeout: limits.publishDeadlineMs,
      expect: { streamName: commandsStreamName },
    });
    counting.add('published');
    return 'published';
  } catch (thrown) {
    if (thrown instanceof NatsError && thrown.code === ErrorCode.NoResponders) stream.missing();
    const total = counting.add('unknown');
    if (worthLogging(total))
      log.warn('wake_unknown', { callId: wake.callId, error: errorCode(thrown), total });
    return 'unknown';
  }
}
