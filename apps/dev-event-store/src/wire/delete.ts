import { DeleteResp, TombstoneResp } from '@eventstore/db-client/generated/streams_pb';
import type { DeleteReq, TombstoneReq } from '@eventstore/db-client/generated/streams_pb';
import type { sendUnaryData, ServerUnaryCall, ServiceError } from '@grpc/grpc-js';
import type { Expected } from '../engine/check-append';
import type { WriteOutcome } from '../engine/event-writer';
import { BAD_STREAM_NAME, expectedNumber, readExpected, writableStream } from './append-request';
import type { CallContext } from './call-context';
import {
  invalidArgument,
  notReady,
  streamDeleted,
  tooBusy,
  unknownError,
  wrongExpectedVersion,
} from './errors';

type RemovalOptions = DeleteReq.Options | TombstoneReq.Options;

export async function handleDelete(
  call: ServerUnaryCall<DeleteReq, DeleteResp>,
  callback: sendUnaryData<DeleteResp>,
  context: CallContext,
): Promise<void> {
  const removal = readRemoval(call.request.getOptions());
  if (!removal.ok) return callback(removal.error);
  try {
    const outcome = await context.writer.delete(removal.stream, removal.expected);
    const error = errorOf(outcome, removal);
    if (error !== undefined || outcome.kind !== 'written') return callback(error ?? unknownError());
    const position = new DeleteResp.Position();
    position.setCommitPosition(String(outcome.position));
    position.setPreparePosition(String(outcome.position));
    callback(null, new DeleteResp().setPosition(position));
  } catch (error) {
    context.report(error);
    callback(unknownError());
  }
}

export async function handleTombstone(
  call: ServerUnaryCall<TombstoneReq, TombstoneResp>,
  callback: sendUnaryData<TombstoneResp>,
  context: CallContext,
): Promise<void> {
  const removal = readRemoval(call.request.getOptions());
  if (!removal.ok) return callback(removal.error);
  try {
    const outcome = await context.writer.tombstone(removal.stream, removal.expected);
    const error = errorOf(outcome, removal);
    if (error !== undefined || outcome.kind !== 'written') return callback(error ?? unknownError());
    const position = new TombstoneResp.Position();
    position.setCommitPosition(String(outcome.position));
    position.setPreparePosition(String(outcome.position));
    callback(null, new TombstoneResp().setPosition(position));
  } catch (error) {
    context.report(error);
    callback(unknownError());
  }
}

interface Removal {
  stream: string;
  expected: Expected;
}

function readRemoval(
  options: RemovalOptions | undefined,
): (Removal & { ok: true }) | { ok: false; error: ServiceError } {
  const stream = writableStream(options?.getStreamIdentifier());
  if (options === undefined || stream === undefined) {
    return { ok: false, error: invalidArgument(BAD_STREAM_NAME) };
  }
  const expected = readExpected(options, options.hasRevision() ? options.getRevision() : undefined);
  if (expected === undefined) return { ok: false, error: invalidArgument('no expected revision') };
  return { ok: true, stream, expected };
}

function errorOf(outcome: WriteOutcome, removal: Removal): ServiceError | undefined {
  switch (outcome.kind) {
    case 'written':
      return undefined;
    case 'stream_deleted':
      return streamDeleted(removal.stream);
    case 'wrong_expected_version':
      return wrongExpectedVersion(removal.stream, expectedNumber(removal.expected), outcome.current);
    case 'not_ready':
      return notReady();
    case 'too_busy':
    case 'too_large':
      return tooBusy();
  }
}
