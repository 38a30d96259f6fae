import type { RecordedEvent } from '@writ/contracts';
import { finding, type Finding, type RuleReport } from './history';

/** Hashes a JSON value: SHA-256 over RFC 8785, as `sha256:<hex>`. Comes from outside, since the core has no cryptography. */
export type DigestOf = (value: unknown) => string;

interface Link {
  readonly revision: number;
  readonly digest: unknown;
}

/** What the chain must remember between two events: the head of each stream and the digests of staged calls. */
export interface ChainState {
  readonly heads: Map<string, Link>;
  readonly staged: Map<string, unknown>;
  checked: number;
  readonly findings: Finding[];
}

export const emptyChain = (): ChainState => ({
  heads: new Map(),
  staged: new Map(),
  checked: 0,
  findings: [],
});

/**
 * A10: nobody altered the record afterwards. Streams are gapless from revision 0 (a capped lease stream from the first
 * event that is left), each event's digest fits what it covers, and each names its predecessor's digest: a call's first
 * event that of its staged event. Works on events as the store gave them, so that not even an unknown key slips by.
 */
export function checkChain(history: readonly RecordedEvent[], digestOf: DigestOf): RuleReport {
  const chain = emptyChain();
  for (const event of history) addToChain(chain, event, digestOf);
  return { checked: chain.checked, findings: chain.findings };
}

/** One more event of the log, in log order; for a reader that does not keep them all. Changes the chain in place. */
export function addToChain(chain: ChainState, event: RecordedEvent, digestOf: DigestOf): void {
  const { digest, ...covered } = fieldsOf(event.metadata);
  const { id, stream, revision, type, data } = event;
  const problem =
    placeProblem(chain, event) ??
    predecessorProblem(chain, event, covered['predecessor']) ??
    (digestOf({ id, stream, revision, type, data, metadata: covered }) === digest
      ? undefined
      : 'its digest does not fit its content');
  chain.heads.set(stream, { revision, digest });
  if (type === 'ToolCallStaged') chain.staged.set(`toolcall-${String(fieldsOf(data)['callId'])}`, digest);
  chain.checked += 1;
  if (problem !== undefined) chain.findings.push(finding('A10', `${type}: ${problem}`, [event]));
}

/** Of a lease stream only the newest events must be left, from wherever the store has cleared away the rest. */
const isCapped = (stream: string): boolean => stream.startsWith('lease-');

function placeProblem({ heads }: ChainState, { stream, revision }: RecordedEvent): string | undefined {
  const expected = (heads.get(stream)?.revision ?? -1) + 1;
  const fits = isCapped(stream) ? revision >= expected : revision === expected;
  return fits ? undefined : `its stream is at ${revision} where ${expected} is next`;
}

function predecessorProblem(chain: ChainState, event: RecordedEvent, named: unknown): string | undefined {
  const { stream, revision } = event;
  const head = chain.heads.get(stream);
  if (isCapped(stream) && revision !== (head?.revision ?? -1) + 1) return undefined;
  // A call that was never staged is A2's finding.
  if (!head && stream.startsWith('toolcall-') && !chain.staged.has(stream)) return undefined;
  const expected = head?.digest ?? chain.staged.get(stream) ?? null;
  return named === expected ? undefined : 'it names another predecessor than the event before it';
}

const fieldsOf = (value: unknown): { readonly [key: string]: unknown } =>
  value !== null && typeof value === 'object' ? Object.fromEntries(Object.entries(value)) : {};
