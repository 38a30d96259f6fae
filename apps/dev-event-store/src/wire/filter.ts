import type { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { EventFilter } from '../engine/all-reading';
import { DEFAULT_SEARCH_WINDOW } from '../limits';

export interface FilterOptions {
  filter: EventFilter;
  /** Considered events between two checkpoints of a subscription; undefined: no checkpoints. */
  checkpointInterval: number | undefined;
}

export type FilterReading = { ok: true; options: FilterOptions } | { ok: false; problem: string };

/**
 * The filter of a read or subscription of $all. Regular expressions are JavaScript's; the real server's are .NET's,
 * which differ in rarely used syntax.
 */
export function readFilter(options: ReadReq.Options): FilterReading {
  const filter = options.getFilter();
  if (filter === undefined)
    return { ok: true, options: { filter: undefined, checkpointInterval: undefined } };
  const onStream = filter.getStreamIdentifier();
  const expression = onStream ?? filter.getEventType();
  if (expression === undefined)
    return { ok: false, problem: 'the filter names neither streams nor event types' };
  const matcher = matcherOf(expression);
  if (matcher === undefined) return { ok: false, problem: 'the filter has no valid regular expression' };
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_SEARCH_WINDOW;
  const multiplier = filter.getCheckpointintervalmultiplier();
  return {
    ok: true,
    options: {
      filter: onStream === undefined ? (_stream, type) => matcher(type) : (stream) => matcher(stream),
      checkpointInterval: Math.max(1, window * Math.max(1, multiplier)),
    },
  };
}

function matcherOf(
  expression: ReadReq.Options.FilterOptions.Expression,
): ((text: string) => boolean) | undefined {
  const prefixes = expression.getPrefixList();
  if (prefixes.length > 0) return (text) => prefixes.some((prefix) => text.startsWith(prefix));
  try {
    const pattern = new RegExp(expression.getRegex(), 'u');
    return (text) => pattern.test(text);
  } catch {
    return undefined;
  }
}
