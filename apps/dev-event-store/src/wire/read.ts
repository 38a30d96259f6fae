import { setTimeout as sleep } from 'node:timers/promises';
import { ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { scanAll } from '../engine/all-reading';
import { selectFromStream, visibleStream } from '../engine/stream-reading';
import type { CallContext } from './call-context';
import { invalidArgument, notReady, streamDeleted, unknownError } from './errors';
import { readFilter } from './filter';
import { type Outbox, outboxOf } from './outbox';
import { notFoundResponse } from './read-response';
import { sendEvents } from './send-events';
import { subscribe } from './subscription';

type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

/** What a read or a subscription works with. */
export interface ReadSession {
  context: CallContext;
  options: ReadReq.Options;
  outbox: Outbox<ReadResp>;
}

/** `Streams/Read`: reads of a stream or of $all, and subscriptions to either. */
export function handleRead(call: ReadCall, context: CallContext): void {
  const outbox = outboxOf<ReadResp>(call);
  context.track(outbox);
  const options = call.request.getOptions();
  if (options === undefined) return outbox.fail(invalidArgument('the request has no options'));
  perform({ context, options, outbox }, call).catch((error: unknown) => {
    context.report(error);
    outbox.fail(unknownError());
  });
}

async function perform(session: ReadSession, call: ReadCall): Promise<void> {
  const { context, options, outbox } = session;
  const on = options.hasSubscription() ? 'subscribe' : 'read';
  const stream = options.hasAll() ? '$all' : streamName(options);
  const fault = context.faults.strike({ on, stream, eventTypes: [] });
  switch (fault?.do) {
    case 'hold':
      await context.faults.untilHealed();
      return outbox.closed ? undefined : perform(session, call);
    case 'fail_unavailable':
      return outbox.fail(notReady());
    case 'disconnect':
      return context.disconnect(call.getPeer());
    case 'delay':
      return run(session, sleep(fault.ms));
    default:
      return run(session, undefined);
  }
}

/** What a read shows is fixed when it starts; a delayed answer does not show more. */
async function run(session: ReadSession, delay: Promise<void> | undefined): Promise<void> {
  if (session.options.hasSubscription()) return subscribe(session, delay);
  return session.options.hasAll() ? readAll(session, delay) : readStream(session, delay);
}

export function streamName(options: ReadReq.Options): string {
  const identifier = options.getStream()?.getStreamIdentifier();
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

function isBackwards(options: ReadReq.Options): boolean {
  return options.getReadDirection() === ReadReq.Options.ReadDirection.BACKWARDS;
}

async function readStream(session: ReadSession, delay: Promise<void> | undefined): Promise<void> {
  const { context, options, outbox } = session;
  const name = streamName(options);
  if (name === '') return outbox.fail(invalidArgument('the request names no stream'));
  const state = visibleStream(context.index, name);
  const start = options.getStream();
  const backwards = isBackwards(options);
  const sequences =
    state.kind === 'present'
      ? selectFromStream(context.index, state.stream, {
          from: start?.hasRevision() ? Number(start.getRevision()) : start?.hasEnd() ? Infinity : 0,
          backwards,
          maxCount: Number(options.getCount()),
          nowMs: context.now(),
        })
      : [];
  await delay;
  if (state.kind === 'deleted') return outbox.fail(streamDeleted(name));
  if (state.kind === 'absent') await outbox.send(notFoundResponse(name));
  if (await sendEvents(session, sequences)) outbox.end();
}

async function readAll(session: ReadSession, delay: Promise<void> | undefined): Promise<void> {
  const { context, options, outbox } = session;
  const { index } = context;
  const reading = readFilter(options);
  if (!reading.ok) return outbox.fail(invalidArgument(reading.problem));
  const backwards = isBackwards(options);
  const limit = index.visible;
  const first = allStart(session, limit);
  if (first === undefined) return outbox.fail(invalidArgument('invalid position'));
  const stop = backwards ? -1 : limit;
  let room = Number(options.getCount());
  let next = backwards ? first - 1 : first;
  await delay;
  while (next !== stop && room > 0 && !outbox.closed) {
    const page = scanAll(index, { start: next, stop, filter: reading.options.filter, maxEvents: room });
    next = page.next;
    room -= page.wanted.length;
    if (!(await sendEvents(session, page.wanted))) return;
  }
  outbox.end();
}

/**
 * The sequence of the first event at or behind the wanted position; undefined where the position is beyond the log.
 * As in EventStoreDB a read backwards starts *before* its position, so that one position serves both directions.
 */
function allStart(session: ReadSession, limit: number): number | undefined {
  const all = session.options.getAll();
  const { index } = session.context;
  const position = all?.getPosition();
  if (position === undefined) return all?.hasEnd() ? limit : 0;
  const commit = Number(position.getCommitPosition());
  return commit > index.visibleEnd ? undefined : index.table.firstAtOrAfter(commit, limit);
}
