import type { StoreCause } from '@writ/runtime';
import { z } from 'zod';

/** gRPC status codes (google.rpc.Code). */
const ABORTED = 10;
const DEADLINE_EXCEEDED = 4;
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** Errors are told apart by what they say: classes differ between the client, gRPC and copies of either. */
const failureSchema = z.object({ code: z.number(), details: z.string().optional() });

export interface Failure {
  readonly cause: StoreCause;
  /** For logs: the gRPC code, or `-1` for what is no gRPC error. */
  readonly code: number;
  /** Whether the connection may be at fault; not so where the server has answered, as a follower that names the leader. */
  readonly isConnectionSuspect: boolean;
}

const answeredByServer = new Set([
  ABORTED,
  INVALID_ARGUMENT,
  NOT_FOUND,
  FAILED_PRECONDITION,
  PERMISSION_DENIED,
  UNAUTHENTICATED,
]);

export function failureOf(error: unknown): Failure {
  const known = failureSchema.safeParse(error);
  const code = known.success ? known.data.code : -1;
  return {
    cause: code === ABORTED || code === DEADLINE_EXCEEDED ? 'store_timeout' : 'store_unavailable',
    code,
    isConnectionSuspect: !answeredByServer.has(code),
  };
}
