import {
  sessionStream,
  streamPrefixes,
  type EventData,
  type ToolsetsOnRecord,
  type ToolTable,
  type WritEvent,
} from '@writ/contracts';
import { comparePositions, throughPosition, visibleTools, type VisibleTool } from '@writ/protocol';
import {
  schemaValidation,
  toolTableBody,
  toolTableDigest,
  usableTable,
  type EventStore,
} from '@writ/runtime';
import { collect } from './collect';
import { parseRecorded } from './parse-recorded';
import { headPosition, readStreamWhole, type Unavailable } from './read-streams';
import type { CutOptions } from './transcript-events';

type NotTold =
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'damaged'; readonly problem: string }
  /** A version that did not keep the session's toolsets has opened it. */
  | { readonly outcome: 'not_kept' }
  | Unavailable;

/** The session's tool table, made of the record alone: what `GET …/tools` answers from its last step or opening on. */
export async function tableOnRecord(
  store: EventStore,
  sessionId: string,
  { at }: CutOptions = {},
): Promise<{ readonly outcome: 'table'; readonly table: ToolTable } | NotTold> {
  const read = await readVisibility(store, sessionId, at);
  if (read.outcome !== 'read') return read;
  const { session, catalog } = read;
  const config = configOf(session);
  if (config === undefined) return { outcome: 'not_kept' };
  return { outcome: 'table', table: toolTableBody(rowsOf(read.opened, config, catalog)) };
}

export interface StepPlace {
  readonly turnId: string;
  readonly step: number;
}

/** `untrue`: no state of the catalog before the step gives the table whose digest it recorded. */
export type ToolsShown =
  | { readonly outcome: 'shown'; readonly digest: string; readonly tools: readonly VisibleTool[] }
  | { readonly outcome: 'untrue'; readonly digest: string }
  | NotTold;

/**
 * What the model was shown with one step, definitions included. The orchestrator may have asked before it had read the
 * newest manifests, but it reads them in log order: it had some beginning of them, and the digest tells which.
 */
export async function toolsShown(
  store: EventStore,
  sessionId: string,
  place: StepPlace,
): Promise<ToolsShown> {
  const read = await readVisibility(store, sessionId);
  if (read.outcome !== 'read') return read;
  const { opened, session } = read;
  const index = session.findIndex(
    ({ type, data }) =>
      type === 'AssistantMessageRecorded' && data.turnId === place.turnId && data.step === place.step,
  );
  const message = session[index];
  if (message?.type !== 'AssistantMessageRecorded') return { outcome: 'not_found' };
  const config = configOf(session.slice(0, index + 1));
  if (config === undefined) return { outcome: 'not_kept' };
  const digest = message.data.toolTableDigest;
  const before = read.catalog.filter(({ position }) => comparePositions(position, message.position) < 0);
  for (let known = before.length; known >= 0; known -= 1) {
    const rows = rowsOf(opened, config, before.slice(0, known));
    if (toolTableDigest(rows) === digest) return { outcome: 'shown', digest, tools: visibleTools(rows) };
  }
  return { outcome: 'untrue', digest };
}

interface Visibility {
  readonly outcome: 'read';
  readonly opened: EventData<'SessionOpened'>;
  readonly session: readonly WritEvent[];
  readonly catalog: readonly WritEvent[];
}

async function readVisibility(
  store: EventStore,
  sessionId: string,
  at?: string,
): Promise<Visibility | NotTold> {
  const head = await headPosition(store);
  if (head.outcome === 'unavailable') return head;
  const cut = at !== undefined && comparePositions(at, head.position) < 0 ? at : head.position;
  const own = await readStreamWhole(store, sessionStream(sessionId));
  if (own.outcome === 'unavailable') return own;
  const session: WritEvent[] = [];
  for (const parsed of throughPosition(own.events, cut).map(parseRecorded)) {
    if (!parsed.ok) return { outcome: 'damaged', problem: parsed.problem };
    session.push(parsed.event);
  }
  const [opened] = session;
  if (opened?.type !== 'SessionOpened') return { outcome: 'not_found' };
  const catalog = await collect(store, [streamPrefixes.catalog]);
  if (catalog.outcome === 'unavailable') return catalog;
  return { outcome: 'read', opened: opened.data, session, catalog: throughPosition(catalog.events, cut) };
}

function configOf(session: readonly WritEvent[]): ToolsetsOnRecord | undefined {
  const newest = session.findLast(
    ({ type, data }) =>
      (type === 'SessionOpened' || type === 'AssistantMessageRecorded') && data.toolsetConfig !== undefined,
  );
  return newest?.type === 'SessionOpened' || newest?.type === 'AssistantMessageRecorded'
    ? newest.data.toolsetConfig
    : undefined;
}

const validation = schemaValidation();

function rowsOf(opened: EventData<'SessionOpened'>, config: ToolsetsOnRecord, catalog: readonly WritEvent[]) {
  const manifests = new Map<string, EventData<'ToolManifestPublished'>>();
  for (const event of catalog)
    if (event.type === 'ToolManifestPublished') manifests.set(event.data.pool, event.data);
  return usableTable({ config, scope: opened, manifests: [...manifests.values()], validation });
}
