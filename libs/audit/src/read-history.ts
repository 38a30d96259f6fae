import {
  callStream,
  catalogStream,
  controlStream,
  sessionStream,
  streamPrefixes,
  type AuditFinding,
  type RecordedEvent,
  type WritEvent,
} from '@writ/contracts';
import { addToChain, comparePositions, emptyChain, throughPosition, type ChainState } from '@writ/protocol';
import { digestOf, type EventStore } from '@writ/runtime';
import { parseRecorded } from './parse-recorded';
import { eachRecorded, headPosition, readStreams, readStreamWhole, type Unavailable } from './read-streams';

export interface HistoryOptions {
  /** Only this session, its calls, and the leases and catalogs that they rely on. */
  readonly sessionId?: string | undefined;
}

export interface ReadHistory {
  readonly outcome: 'history';
  /** In log order. What could not be parsed is left out here and stands among the findings. */
  readonly events: readonly WritEvent[];
  readonly throughPosition: string;
  /** A10: events that were looked at, and those that cannot be read or do not fit their chain. */
  readonly chain: { readonly checked: number; readonly findings: readonly AuditFinding[] };
}

/** The record up to the head of the log at the beginning of the read, parsed and with its chain checked. */
export async function readHistory(
  store: EventStore,
  options: HistoryOptions = {},
): Promise<ReadHistory | { readonly outcome: 'not_found' } | Unavailable> {
  const head = await headPosition(store);
  if (head.outcome === 'unavailable') return head;
  const { sessionId } = options;
  return sessionId === undefined
    ? readWholeLog(store, head.position)
    : readSession(store, sessionId, head.position);
}

async function readWholeLog(store: EventStore, through: string): Promise<ReadHistory | Unavailable> {
  const intake = new Intake();
  const read = await eachRecorded(store, through, (event) => {
    if (isOurs(event)) intake.take(event);
  });
  return read.outcome === 'unavailable' ? read : intake.history(through);
}

const isOurs = ({ stream }: RecordedEvent): boolean =>
  Object.values(streamPrefixes).some((prefix) => stream.startsWith(prefix));

/** Follows what the session names: its calls, then the leases and catalogs that these rely on. */
async function readSession(
  store: EventStore,
  sessionId: string,
  through: string,
): Promise<ReadHistory | { readonly outcome: 'not_found' } | Unavailable> {
  const session = await readStreamWhole(store, sessionStream(sessionId));
  if (session.outcome === 'unavailable') return session;
  if (throughPosition(session.events, through).length === 0) return { outcome: 'not_found' };
  const calls = await readStreams(
    store,
    namedIn(session.events, ({ callIds }) => callIds.map(callStream)),
  );
  if (calls.outcome === 'unavailable') return calls;
  const first = [...session.events, ...calls.events];
  const relied = namedIn(first, ({ leases, pools }) => [...leases, ...pools.map(catalogStream)]);
  const others = await readStreams(store, [controlStream(sessionId), ...relied]);
  if (others.outcome === 'unavailable') return others;
  const intake = new Intake();
  throughPosition([...first, ...others.events], through)
    .sort((a, b) => comparePositions(a.position, b.position))
    .forEach((event) => intake.take(event));
  return intake.history(through);
}

interface Named {
  readonly callIds: readonly string[];
  readonly leases: readonly string[];
  readonly pools: readonly string[];
}

const nothing: Named = { callIds: [], leases: [], pools: [] };

function namedIn(recorded: readonly RecordedEvent[], pick: (named: Named) => readonly string[]): string[] {
  const parsed = recorded.map(parseRecorded);
  return [...new Set(parsed.flatMap((one) => (one.ok ? pick(namedBy(one.event)) : [])))];
}

function namedBy(event: WritEvent): Named {
  switch (event.type) {
    case 'ToolCallStaged':
      return {
        ...nothing,
        callIds: [event.data.callId],
        pools: event.data.pool === undefined ? [] : [event.data.pool],
      };
    case 'ToolExecutionTakenOver':
      return { ...nothing, leases: [event.data.leaseEnded.stream] };
    case 'SessionLeaseAcquired': {
      const ended = event.data.supersedes?.leaseEnded;
      return { ...nothing, leases: ended ? [ended.stream] : [] };
    }
    default:
      return nothing;
  }
}

/** What is nested too deep to be hashed has not been written by us: no digest fits it. */
function digestOfAny(value: unknown): string {
  try {
    return digestOf(value);
  } catch {
    return 'none';
  }
}

/** Takes recorded events in log order: chain first, on the bytes as stored, then the parser. */
class Intake {
  private readonly chain: ChainState = emptyChain();
  private readonly events: WritEvent[] = [];
  private readonly unreadable: AuditFinding[] = [];
  private readonly endedLeases = new Set<string>();

  take(recorded: RecordedEvent): void {
    addToChain(this.chain, recorded, digestOfAny);
    const parsed = parseRecorded(recorded);
    if (parsed.ok) return this.keep(parsed.event);
    const { stream, revision, position } = recorded;
    this.unreadable.push({
      rule: 'A10',
      message: `it cannot be read: ${parsed.problem}`,
      events: [{ stream, revision, position }],
    });
  }

  /** Of the renewals, which are the bulk of a quiet log, only those after a lease's end say anything to a rule. */
  private keep(event: WritEvent): void {
    if (event.type === 'LeaseEnded') this.endedLeases.add(event.stream);
    if (event.type !== 'LeaseRenewed' || this.endedLeases.has(event.stream)) this.events.push(event);
  }

  history(through: string): ReadHistory {
    const chained = this.chain.findings.map((finding) => ({ ...finding, events: [...finding.events] }));
    return {
      outcome: 'history',
      events: this.events,
      throughPosition: through,
      chain: { checked: this.chain.checked, findings: [...chained, ...this.unreadable] },
    };
  }
}
