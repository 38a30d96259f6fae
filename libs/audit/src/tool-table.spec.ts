import { randomUUID } from 'node:crypto';
import {
  catalogStream,
  sessionStream,
  type NewEvent,
  type PublishedTool,
  type RecordedEvent,
} from '@writ/contracts';
import { toolsetsOnRecord, visibleTools, type ToolsetConfig } from '@writ/protocol';
import {
  definitionDigest,
  digestOf,
  schemaValidation,
  seal,
  toolTableBody,
  toolTableDigest,
  usableTable,
} from '@writ/runtime';
import { tableOnRecord, toolsShown } from '.';
import { storeOf, unreachable } from './testing/golden-store';

const clock = { wallMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() };
const entropy = { uuid: () => randomUUID(), random: () => 0 };
const validation = schemaValidation();

function tool(name: string, description = name): PublishedTool {
  const definition = {
    ...{ name, description, inputSchema: { type: 'object' }, effectClass: 'read' as const, version: '1' },
    ...{ concurrency: 'parallel' as const, timeoutMs: 1, fenced: false, delegate: false },
  };
  return {
    ...definition,
    definitionDigest: definitionDigest(definition),
    hasReadback: false,
    hasCheck: false,
  };
}

const config: ToolsetConfig = {
  toolsets: {
    files: { description: 'files', tools: ['read', 'write'], includes: [] },
    ops: { description: 'all', tools: ['run'], includes: ['files'] },
    mail: { tools: ['send'], includes: [] },
  },
  platforms: { api: { toolsets: ['ops'] }, web: { toolsets: [] } },
};
const narrowed: ToolsetConfig = {
  ...config,
  toolsets: { ...config.toolsets, files: { tools: ['read'], includes: [] } },
};
const scope = { platform: 'api', toolsets: ['ops'], disabledToolsets: [] };
const all = ['read', 'write', 'run', 'send'].map((name) => tool(name));

/** A log that is written event by event, and what an orchestrator with a configuration would show at its end. */
class Log {
  readonly events: RecordedEvent[] = [];
  private readonly pools = new Map<string, readonly PublishedTool[]>();
  private steps = 0;

  add(stream: string, draft: NewEvent): void {
    const before = this.events.filter((event) => event.stream === stream);
    const context = { actor: { service: 'turn-orchestrator' as const }, correlationId: 's' };
    const head = {
      stream,
      revision: before.length === 0 ? ('no_stream' as const) : before.length - 1,
      lastDigest: null,
    };
    for (const { id, type, data, metadata } of seal({ clock, entropy }, head, { drafts: [draft], context })
      .events)
      this.events.push({
        ...{ id, stream, type, data, metadata },
        ...{ revision: before.length, position: String(this.events.length + 1) },
      });
  }

  publish(pool: string, tools: readonly PublishedTool[]): void {
    this.pools.set(pool, tools);
    const data = { pool, digest: digestOf(tools), tools: [...tools] };
    this.add(catalogStream(pool), { type: 'ToolManifestPublished', data });
  }

  open(kept = true): void {
    const toolsetConfig = kept ? { toolsetConfig: toolsetsOnRecord(config, scope) } : {};
    const data = {
      sessionId: 's',
      tenant: 't',
      ...scope,
      policyDigest: digestOf('p'),
      openedBy: 'me',
      ...toolsetConfig,
    };
    this.add(sessionStream('s'), { type: 'SessionOpened', data });
  }

  rows(by = config) {
    const manifests = [...this.pools].map(([pool, tools]) => ({ pool, tools: [...tools] }));
    return usableTable({ config: by, scope, manifests, validation });
  }

  step(rows = this.rows(), by?: ToolsetConfig): ReturnType<typeof visibleTools> {
    this.steps += 1;
    const data = {
      ...{ turnId: 't', step: this.steps, text: '', model: 'm', finishReason: 'stop', results: [] },
      toolTableDigest: toolTableDigest(rows),
      ...(by && { toolsetConfig: toolsetsOnRecord(by, scope) }),
    };
    this.add(sessionStream('s'), { type: 'AssistantMessageRecorded', data });
    return visibleTools(rows);
  }

  table = (at?: string) => tableOnRecord(storeOf(this.events), 's', { at });
  shown = (step: number) => toolsShown(storeOf(this.events), 's', { turnId: 't', step });
}

let log: Log;
beforeEach(() => {
  log = new Log();
});

describe('the tool table of a session, from the record alone', () => {
  it('is the one that an orchestrator with that configuration answers', async () => {
    log.publish('one', all);
    log.publish('two', [tool('send'), tool('other')]);
    log.open();
    expect(await log.table()).toEqual({ outcome: 'table', table: toolTableBody(log.rows()) });
    expect(toolTableBody(log.rows()).tools.map(({ name, visible }) => `${name} ${visible}`)).toEqual([
      ...['other false', 'read true', 'run true', 'send false', 'write true'],
    ]);
  });

  it('follows what the pools publish, and the configuration that the newest step names', async () => {
    log.publish('one', all);
    log.open();
    log.publish('one', [tool('read')]);
    expect(await log.table()).toEqual({ outcome: 'table', table: toolTableBody(log.rows()) });
    log.publish('one', all);
    log.step(log.rows(narrowed), narrowed);
    log.step(log.rows(narrowed));
    expect(await log.table()).toEqual({ outcome: 'table', table: toolTableBody(log.rows(narrowed)) });
  });

  it('at a log position is that of the moment', async () => {
    log.publish('one', all);
    log.open();
    const then = toolTableBody(log.rows());
    log.publish('one', []);
    log.step(log.rows(narrowed), narrowed);
    expect(await log.table('2')).toEqual({ outcome: 'table', table: then });
    expect(await log.table('1')).toEqual({ outcome: 'not_found' });
  });

  it('is not made up where the record does not have it', async () => {
    expect(await log.table()).toEqual({ outcome: 'not_found' });
    log.publish('one', all);
    log.open(false);
    expect(await log.table()).toEqual({ outcome: 'not_kept' });
    log.step();
    expect(await log.shown(1)).toEqual({ outcome: 'not_kept' });
    log.step(log.rows(), config);
    expect(await log.table()).toMatchObject({ outcome: 'table' });
    expect(
      await tableOnRecord(
        storeOf([], () => unreachable),
        's',
      ),
    ).toEqual(unreachable);
  });

  it('is damaged where the session cannot be read', async () => {
    log.open();
    log.events.push({
      ...{ id: 'x', stream: sessionStream('s'), revision: 1, position: '9' },
      type: 'Odd',
      data: {},
      metadata: {},
    });
    expect(await log.table()).toMatchObject({ outcome: 'damaged' });
  });
});

describe('what the model was shown with a step', () => {
  it('is made again from the digest, to the last word of the definitions, whatever was published since', async () => {
    log.publish('one', all);
    log.open();
    const first = log.step();
    log.publish('one', [tool('read', 'another text'), tool('run')]);
    const second = log.step();
    log.publish('one', []);
    const third = log.step(log.rows());
    expect([await log.shown(1), await log.shown(2), await log.shown(3)]).toMatchObject([
      { outcome: 'shown', tools: first },
      { outcome: 'shown', tools: second },
      { outcome: 'shown', tools: third },
    ]);
    expect(first.map(({ description }) => description)).toEqual(['read', 'run', 'write']);
    expect(second.map(({ description }) => description)).toEqual(['another text', 'run']);
    expect(third).toEqual([]);
  });

  it('is found where the orchestrator had not read the newest manifests when it asked', async () => {
    log.publish('one', all);
    log.open();
    const asked = log.rows();
    log.publish('one', [tool('run')]);
    log.publish('two', [tool('write')]);
    expect(await log.shown(1)).toEqual({ outcome: 'not_found' });
    const shown = log.step(asked);
    expect(await log.shown(1)).toMatchObject({ outcome: 'shown', tools: shown });
  });

  it('is made with the configuration of its own time', async () => {
    log.publish('one', all);
    log.open();
    const before = log.step();
    const after = log.step(log.rows(narrowed), narrowed);
    expect([await log.shown(1), await log.shown(2)]).toMatchObject([{ tools: before }, { tools: after }]);
    expect(before.length).toBe(after.length + 1);
  });

  it('is called untrue where nothing that was published before it gives the recorded digest', async () => {
    log.publish('one', all);
    log.open();
    const published = log.rows();
    log.step(log.rows({ ...config, toolsets: { ops: { tools: ['send'], includes: [] } } }));
    log.publish('one', [tool('run')]);
    const later = log.rows();
    log.publish('one', all);
    log.step(published);
    expect(await log.shown(1)).toMatchObject({ outcome: 'untrue' });
    expect(await log.shown(2)).toMatchObject({ outcome: 'shown' });
    log.step(later);
    log.publish('one', [tool('write')]);
    const future = log.rows();
    log.events.pop();
    log.step(future);
    log.publish('one', [tool('write')]);
    expect(await log.shown(3)).toMatchObject({ outcome: 'shown' });
    expect(await log.shown(4)).toMatchObject({ outcome: 'untrue' });
  });
});
