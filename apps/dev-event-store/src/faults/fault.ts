import { z } from 'zod';
import { MAX_FAULT_DELAY_MS } from '../limits';

const shared = {
  /** Prefix of the stream name; `$all` for reads and subscriptions of everything. */
  stream: z.string().optional(),
  /** How many matches it acts on; without it, until healed. */
  times: z.int().positive().optional(),
};
const delay = { do: z.literal('delay'), ms: z.int().nonnegative().max(MAX_FAULT_DELAY_MS) };
const onReading = { on: z.enum(['read', 'subscribe']), ...shared };
const onAppend = { on: z.literal('append'), ...shared, eventType: z.string().optional() };

/** The body of `POST /faults`. Anything else is refused, so that a test never believes in a fault that cannot act. */
export const faultSchema = z.union([
  z.strictObject({
    ...onAppend,
    do: z.enum(['hold', 'fail_unavailable', 'store_then_drop_ack', 'store_then_wrong_version', 'disconnect']),
  }),
  z.strictObject({ ...onAppend, ...delay }),
  z.strictObject({ ...onReading, do: z.enum(['hold', 'fail_unavailable', 'disconnect']) }),
  z.strictObject({ ...onReading, ...delay }),
]);

export type Fault = z.infer<typeof faultSchema>;

/** What a request offers to the faults. */
export interface FaultTarget {
  on: Fault['on'];
  stream: string;
  /** Types of the events of an append; empty for others. */
  eventTypes: readonly string[];
}

export function matches(fault: Fault, target: FaultTarget): boolean {
  if (fault.on !== target.on) return false;
  if (fault.stream !== undefined && !target.stream.startsWith(fault.stream)) return false;
  const eventType = fault.on === 'append' ? fault.eventType : undefined;
  return eventType === undefined || target.eventTypes.includes(eventType);
}
