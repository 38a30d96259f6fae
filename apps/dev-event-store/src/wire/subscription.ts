import { randomUUID } from 'node:crypto';
import { LIVE_LAG_EVENTS } from '../limits';
import { invalidArgument, streamDeleted } from './errors';
import { readFilter } from './filter';
import type { ReadSession } from './read';
import { streamName } from './read';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  fellBehindResponse,
} from './read-response';
import { sendEvents } from './send-events';
import { AllSource, type SubscriptionSource } from './subscription-source';
import { StreamSource } from './stream-source';

/**
 * Sends what is there, says caught up, then sends what comes. A slow reader is never dropped: it is told that it fell
 * behind and catches up from the log, as EventStoreDB does from 24.2 on.
 */
export async function subscribe(session: ReadSession, delay: Promise<void> | undefined): Promise<void> {
  const source = openSource(session);
  await delay;
  if (source === undefined) return;
  const { outbox } = session;
  if (!(await outbox.send(confirmationResponse(randomUUID())))) return;
  const wakeUp = wakeUps(session);
  let live = false;
  while (!outbox.closed) {
    const step = source.next();
    if (step.kind === 'deleted') return outbox.fail(streamDeleted(streamName(session.options)));
    if (step.kind === 'nothing') {
      if (!live) await goLive(session, source);
      live = true;
      await wakeUp();
      continue;
    }
    if (live && step.lag > LIVE_LAG_EVENTS) {
      live = false;
      await outbox.send(fellBehindResponse());
    }
    await sendEvents(session, step.wanted);
    if (step.checkpoint !== undefined) await outbox.send(checkpointResponse(step.checkpoint));
  }
}

function openSource(session: ReadSession): SubscriptionSource | undefined {
  const { context, options, outbox } = session;
  const { index } = context;
  if (!options.hasAll()) {
    const name = streamName(options);
    if (name === '') {
      outbox.fail(invalidArgument('the request names no stream'));
      return undefined;
    }
    return new StreamSource({ index, now: context.now, name, options });
  }
  const reading = readFilter(options);
  const position = options.getAll()?.getPosition();
  const commit = position === undefined ? undefined : Number(position.getCommitPosition());
  if (!reading.ok || (commit ?? 0) > index.visibleEnd) {
    outbox.fail(invalidArgument(reading.ok ? 'invalid position' : reading.problem));
    return undefined;
  }
  return new AllSource({ index, ...reading.options, after: commit, fromEnd: options.getAll()?.hasEnd() });
}

async function goLive(session: ReadSession, source: SubscriptionSource): Promise<void> {
  const { outbox } = session;
  const checkpoint = source.liveCheckpoint();
  if (checkpoint !== undefined) await outbox.send(checkpointResponse(checkpoint));
  await outbox.send(caughtUpResponse());
}

/** A function that waits for the next publication after the last one it reported, or for the end of the call. */
function wakeUps(session: ReadSession): () => Promise<void> {
  const { outbox, context } = session;
  let woken = false;
  let wake: (() => void) | undefined;
  const ring = (): void => {
    woken = true;
    wake?.();
  };
  const unsubscribe = context.publications.subscribe(ring);
  outbox.onClose(() => {
    unsubscribe();
    ring();
  });
  return async () => {
    if (!woken) await new Promise<void>((resolve) => (wake = resolve));
    woken = false;
    wake = undefined;
  };
}
