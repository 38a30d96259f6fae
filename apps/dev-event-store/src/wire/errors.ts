import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { MAX_APPEND_BYTES } from '../limits';

/**
 * Statuses and trailers as EventStoreDB sends them; the client picks its error class by the `exception` trailer.
 * Trailer values must be ASCII: any other value makes grpc-js throw.
 */
function serviceError(code: status, details: string, trailers: Record<string, string> = {}): ServiceError {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, asciiOf(value));
  return Object.assign(new Error(details), { code, details, metadata });
}

function asciiOf(value: string): string {
  return value.replace(/[^\x20-\x7e]+/gu, (part) => encodeURIComponent(part));
}

export function notReady(details = 'Server Is Not Ready'): ServiceError {
  return serviceError(status.UNAVAILABLE, details);
}

export function tooBusy(): ServiceError {
  return notReady('Server Is Too Busy');
}

export function stopping(): ServiceError {
  return serviceError(status.CANCELLED, 'The server is shutting down');
}

export function invalidArgument(details: string): ServiceError {
  return serviceError(status.INVALID_ARGUMENT, details);
}

export function missingMetadata(): ServiceError {
  return serviceError(status.INVALID_ARGUMENT, 'Required Metadata Property Missing', {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });
}

export function streamDeleted(stream: string): ServiceError {
  return serviceError(status.FAILED_PRECONDITION, `Event stream '${asciiOf(stream)}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
}

export function appendTooLarge(): ServiceError {
  return serviceError(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} bytes Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });
}

/** As numbers on the wire: any -2, no stream -1, stream exists -4. An absent stream has no actual version. */
export function wrongExpectedVersion(stream: string, expected: string, current: number): ServiceError {
  return serviceError(
    status.FAILED_PRECONDITION,
    `Append failed due to WrongExpectedVersion. Stream: ${asciiOf(stream)}, Expected version: ${expected}, Actual version: ${current}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': expected,
      ...(current < 0 ? {} : { 'actual-version': String(current) }),
    },
  );
}

/** For what is a bug of this server; the text of the exception stays here. */
export function unknownError(): ServiceError {
  return serviceError(status.UNKNOWN, 'Unexpected error in the event store');
}
