import type { Syscall } from './strace';

/**
 * Proves from a trace that nothing was shown before it was safe. For every event id there must be, in this order:
 * a write of its 16 bytes to the log that returned; an fdatasync of the same file that was *entered after that* and
 * returned 0; and only then the first write to a socket that carries the id as text (an answer whose correlation id
 * it is, or the event on its way to a subscriber).
 *
 * Returns one line per id for which that does not hold.
 */
export function findViolations(trace: readonly Syscall[], ids: readonly string[]): string[] {
  const logWrites = trace.filter((call) => call.name === 'pwrite64' && call.result === call.bytes.length);
  const syncs = trace.filter((call) => call.name === 'fdatasync' && call.result === 0);
  const outgoing = outgoingBytes(trace);
  return ids.flatMap((id) => {
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
    const shown = firstShown(outgoing, id);
    if (shown === undefined) return [`${id} was never answered`];
    const write = logWrites.find((call) => call.bytes.includes(bytes));
    if (write === undefined) return [`${id} was shown but never written to the log`];
    const sync = syncs.find((call) => call.fd === write.fd && call.entered > write.returned);
    if (sync === undefined) return [`${id} was shown but never synced`];
    if (shown > sync.returned) return [];
    return [
      `${id} was shown at line ${shown}, before the fdatasync that covers it returned at ${sync.returned}`,
    ];
  });
}

interface Outgoing {
  bytes: Buffer;
  /** Where each write begins in `bytes`, and when it was entered. */
  writes: { at: number; entered: number }[];
}

const SOCKET_WRITES = new Set(['write', 'writev', 'sendto', 'sendmsg']);

/** What went out by each descriptor; a text may be split over two writes. */
function outgoingBytes(trace: readonly Syscall[]): Outgoing[] {
  const streams = new Map<number, { parts: Buffer[]; size: number; writes: Outgoing['writes'] }>();
  for (const call of trace) {
    if (!SOCKET_WRITES.has(call.name) || call.result <= 0) continue;
    const stream = streams.get(call.fd) ?? { parts: [], size: 0, writes: [] };
    streams.set(call.fd, stream);
    stream.writes.push({ at: stream.size, entered: call.entered });
    stream.parts.push(call.bytes.subarray(0, call.result));
    stream.size += call.result;
  }
  return [...streams.values()].map(({ parts, writes }) => ({ bytes: Buffer.concat(parts), writes }));
}

/** Line at which the first byte of the first copy of `id` began to leave. */
function firstShown(outgoing: readonly Outgoing[], id: string): number | undefined {
  const lines = outgoing.flatMap(({ bytes, writes }) => {
    const at = bytes.indexOf(id, 0, 'latin1');
    const write = at < 0 ? undefined : writes.findLast((each) => each.at <= at);
    return write === undefined ? [] : [write.entered];
  });
  return lines.length === 0 ? undefined : Math.min(...lines);
}
