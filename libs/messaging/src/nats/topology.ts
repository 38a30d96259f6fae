/** What must exist at the broker: the work-queue stream, and a durable consumer per pool (protocol 6). */
import { commandsStreamName, commandSubjects } from '@writ/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  nanos,
  NatsError,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
  type Consumer,
  type JetStreamManager,
  type NatsConnection,
} from 'nats';
import {
  API_DEADLINE_MS,
  COMMAND_MAX_AGE_MS,
  COMMANDS_MAX_BYTES,
  COMMANDS_PER_SUBJECT,
  DUPLICATE_WINDOW_MS,
  MAX_ACK_PENDING,
  MAX_STORED_COMMAND_BYTES,
  MAX_WAITING_PULLS,
} from '../limits';
import type { CommandQueue } from '../queues';

/** Full means that the oldest wake goes, never that a publish is refused: its owner wakes again (R16). */
const commandsStream = {
  name: commandsStreamName,
  subjects: [...commandSubjects],
  retention: RetentionPolicy.Workqueue,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_age: nanos(COMMAND_MAX_AGE_MS),
  max_bytes: COMMANDS_MAX_BYTES,
  max_msgs_per_subject: COMMANDS_PER_SUBJECT,
  max_msg_size: MAX_STORED_COMMAND_BYTES,
  duplicate_window: nanos(DUPLICATE_WINDOW_MS),
};

/**
 * An operator's own limits and replicas are kept; subjects, retention and discarding must be ours.
 * Rejects while the broker cannot, and where the stream is of another kind.
 */
export async function ensureCommandsStream(connection: NatsConnection): Promise<void> {
  const { streams } = await manager(connection);
  const found = await unlessMissing(streams.info(commandsStream.name));
  if (found === undefined) {
    await streams.add(commandsStream);
    return;
  }
  const { subjects, retention, discard } = found.config;
  if (retention !== RetentionPolicy.Workqueue) throw new Error('commands_stream_is_no_work_queue');
  const complete = commandsStream.subjects.every((subject) => subjects.includes(subject));
  if (!complete || discard !== DiscardPolicy.Old) {
    await streams.update(commandsStream.name, {
      subjects: commandsStream.subjects,
      discard: DiscardPolicy.Old,
    });
  }
}

/** Rejects while the broker cannot. */
export async function ensureConsumer(
  connection: NatsConnection,
  queue: CommandQueue,
  ackWaitMs: number,
): Promise<Consumer> {
  const { consumers } = await manager(connection);
  const bounds = {
    ack_wait: nanos(ackWaitMs),
    max_deliver: -1,
    max_ack_pending: MAX_ACK_PENDING,
  };
  const found = await unlessMissing(consumers.info(commandsStream.name, queue.durable));
  if (found === undefined) {
    await consumers.add(commandsStream.name, {
      durable_name: queue.durable,
      filter_subject: queue.subject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      replay_policy: ReplayPolicy.Instant,
      max_waiting: MAX_WAITING_PULLS,
      ...bounds,
    });
  } else {
    const { ack_wait, max_deliver, max_ack_pending } = found.config;
    const agrees =
      ack_wait === bounds.ack_wait &&
      max_deliver === bounds.max_deliver &&
      max_ack_pending === bounds.max_ack_pending;
    if (!agrees) await consumers.update(commandsStream.name, queue.durable, bounds);
  }
  return connection.jetstream({ timeout: API_DEADLINE_MS }).consumers.get(commandsStream.name, queue.durable);
}

const manager = (connection: NatsConnection): Promise<JetStreamManager> =>
  connection.jetstreamManager({ timeout: API_DEADLINE_MS, checkAPI: false });

const NOT_FOUND = 404;

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof NatsError && thrown.api_error?.code === NOT_FOUND) return undefined;
    throw thrown;
  }
}
