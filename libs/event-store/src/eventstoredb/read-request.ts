import { Empty, StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { CHECKPOINT_WINDOWS } from '../limits';

const { Options } = ReadReq;

/** Servers that know it mark the end of a stream's page, so that one that broke off is not taken for the whole. */
const MARKS_ENDS = 1;

export interface Direction {
  readonly direction: 'forwards' | 'backwards';
  readonly maxCount: number;
}

export function readStreamRequest(
  stream: string,
  { from, ...page }: Direction & { readonly from: number | 'start' | 'end' },
): ReadReq {
  const options = pageOptions(page);
  options.setStream(streamOptions(stream, from));
  options.setNoFilter(new Empty());
  options.setControlOption(new Options.ControlOption().setCompatibility(MARKS_ENDS));
  return new ReadReq().setOptions(options);
}

/** What is read of the log: everything, all streams but the store's own, or streams by prefixes. */
export type LogSelection = 'everything' | 'not_the_stores_own' | readonly string[];

export function readAllRequest(
  selection: LogSelection,
  { from, ...page }: Direction & { readonly from: string | 'start' | 'end' },
): ReadReq {
  const options = pageOptions(page);
  options.setAll(allOptions(from));
  if (selection === 'everything') options.setNoFilter(new Empty());
  else options.setFilter(streamFilter(selection));
  return new ReadReq().setOptions(options);
}

/** `after` is exclusive here, as subscriptions have it. */
export function followStreamRequest(stream: string, after: number | 'start'): ReadReq {
  const options = subscriptionOptions();
  options.setStream(streamOptions(stream, after));
  options.setNoFilter(new Empty());
  return new ReadReq().setOptions(options);
}

export function followAllRequest(prefixes: readonly string[], after: string | 'start'): ReadReq {
  const options = subscriptionOptions();
  options.setAll(allOptions(after));
  options.setFilter(streamFilter(prefixes));
  return new ReadReq().setOptions(options);
}

function pageOptions({ direction, maxCount }: Direction): ReadReq.Options {
  const { FORWARDS, BACKWARDS } = Options.ReadDirection;
  return freshOptions()
    .setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS)
    .setCount(String(maxCount));
}

function subscriptionOptions(): ReadReq.Options {
  return freshOptions().setSubscription(new Options.SubscriptionOptions());
}

function freshOptions(): ReadReq.Options {
  return new Options().setResolveLinks(false).setUuidOption(new Options.UUIDOption().setString(new Empty()));
}

function streamOptions(stream: string, from: number | 'start' | 'end'): ReadReq.Options.StreamOptions {
  const options = new Options.StreamOptions();
  options.setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream)));
  if (from === 'start') return options.setStart(new Empty());
  return from === 'end' ? options.setEnd(new Empty()) : options.setRevision(String(from));
}

/** Commit and prepare position are one: what comes in by gRPC commits itself. */
function allOptions(from: string | 'start' | 'end'): ReadReq.Options.AllOptions {
  const options = new Options.AllOptions();
  if (from === 'start') return options.setStart(new Empty());
  if (from === 'end') return options.setEnd(new Empty());
  return options.setPosition(new Options.Position().setCommitPosition(from).setPreparePosition(from));
}

function streamFilter(selection: readonly string[] | 'not_the_stores_own'): ReadReq.Options.FilterOptions {
  const expression = new Options.FilterOptions.Expression();
  if (selection === 'not_the_stores_own') expression.setRegex('^[^$]');
  else expression.setPrefixList([...selection]);
  return new Options.FilterOptions()
    .setStreamIdentifier(expression)
    .setCount(new Empty())
    .setCheckpointintervalmultiplier(CHECKPOINT_WINDOWS);
}
