import { approvalListSchema, sessionListSchema, toolTableSchema } from '@writ/contracts';
import { audited, call, Client, eventually, patient, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

interface Sent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
}

/** What the orchestrator shows of its record, and of itself. */
describe('what can be read over HTTP', () => {
  let world: World;
  let scene: Scene;
  beforeAll(async () => {
    world = await startWorld({ env: patient });
    scene = new Scene(world);
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore());
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  /** The first `many` events that come after `lastEventId`. */
  async function eventsAfter(
    sessionId: string,
    many: number,
    lastEventId?: string,
  ): Promise<readonly Sent[]> {
    const stopping = new AbortController();
    const response = await fetch(`${world.stack.addresses.orchestrator}/v1/sessions/${sessionId}/events`, {
      signal: stopping.signal,
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    let text = '';
    while ((text.match(/\n\n/g) ?? []).length < many) {
      const part: { done: boolean; value?: Uint8Array | undefined } = (await reader?.read()) ?? {
        done: true,
      };
      if (part.done) break;
      text += decoder.decode(part.value, { stream: true });
    }
    stopping.abort();
    return text.split('\n\n').flatMap((block) => {
      const fields = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block);
      if (fields === null) return [];
      const [, id = '', type = '', data = ''] = fields;
      return [{ ...(JSON.parse(data) as { stream: string; revision: number }), id, type }];
    });
  }

  it('events come in log order and go on behind any of them, without a gap or a repeat', async () => {
    const { client, model, probe } = world;
    model.says(
      {
        calls: [
          call('probe_write', { k: 'sse-a' }),
          call('no_such', {}),
          call('probe_alone', { k: 'sse-b' }),
        ],
      },
      { text: 'done' },
    );
    const sessionId = await client.openSession();
    await client.runTurn(sessionId, 'go');
    const stored = await scene.events(sessionId);
    const many = stored.length + 4;
    const all = await eventsAfter(sessionId, many);
    expect(all).toHaveLength(many);
    expect(all.filter(({ stream }) => stream.startsWith('session-')).map(({ revision }) => revision)).toEqual(
      stored.map(({ revision }) => revision),
    );
    const positions = all.map(({ id }) => BigInt(id));
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)));
    for (const [index, { id }] of all.slice(0, -1).entries())
      expect(await eventsAfter(sessionId, many - index - 1, id)).toEqual(all.slice(index + 1));
    expect([probe.countOf('sse-a'), probe.countOf('sse-b')]).toEqual([1, 1]);
  });

  it('a listener hears of a turn as it is recorded, and nothing of other sessions', async () => {
    const { client, model } = world;
    const [mine, others] = [await client.openSession(), await client.openSession()];
    const hearing = eventsAfter(mine, 6);
    model.says({ text: 'theirs' });
    await client.runTurn(others, 'theirs');
    model.says({ text: 'mine' });
    await client.runTurn(mine, 'mine');
    const heard = await hearing;
    expect(heard.map(({ type }) => type)).toEqual([
      'SessionOpened',
      'SessionLeaseAcquired',
      'TurnStarted',
      'AssistantMessageRecorded',
      'TurnCompleted',
      'SessionLeaseReleased',
    ]);
    expect(new Set(heard.map(({ stream }) => stream))).toEqual(new Set([`session-${mine}`]));
  });

  it('sessions are listed newest first, page by page, each once', async () => {
    const { client } = world;
    const opened: string[] = [];
    for (let count = 0; count < 5; count += 1) opened.unshift(await client.openSession());
    const page = async (query: string) =>
      sessionListSchema.parse(JSON.parse((await client.send('GET', `/v1/sessions${query}`)).text));
    await eventually(
      'the newest is listed',
      async () => (await page('?limit=1')).items[0]?.sessionId === opened[0],
    );
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { items, next } = await page(`?limit=2${after === undefined ? '' : `&after=${after}`}`);
      expect(items.length).toBeLessThanOrEqual(2);
      seen.push(...items.map(({ sessionId }) => sessionId));
      after = next;
    } while (after !== undefined);
    expect(seen.slice(0, 5)).toEqual(opened);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual((await page('?limit=500')).items.map(({ sessionId }) => sessionId));
    const [newest] = (await page('')).items;
    expect(newest).toMatchObject({ status: 'idle', openCalls: 0, inDoubtCalls: 0 });
  });

  it('the tool table names every known tool with a reason, and what a session leaves out', async () => {
    const { client } = world;
    const tableOf = async (request: object) => {
      const sessionId = await client.openSession(request);
      const { text } = await client.send('GET', `/v1/sessions/${sessionId}/tools`);
      return toolTableSchema.parse(JSON.parse(text));
    };
    const [all, files] = [await tableOf({}), await tableOf({ toolsets: ['files'] })];
    const echo = ({ tools }: typeof all) => tools.find(({ name }) => name === 'echo');
    expect(echo(all)).toMatchObject({ visible: true, effectClass: 'read' });
    expect(echo(files)).toMatchObject({ visible: false });
    expect(all.tools.find(({ name }) => name === 'hidden_write')).toMatchObject({ visible: false });
    for (const { reason } of [...all.tools, ...files.tools]) expect(reason).not.toBe('');
    expect(all.digest).not.toBe(files.digest);
    expect((await tableOf({})).digest).toBe(all.digest);
  });

  it('every service describes its interface, counts what happens and says that it lives', async () => {
    const { addresses } = world.stack;
    for (const base of [addresses.orchestrator, addresses.executor, addresses.approvals]) {
      const service = new Client(base ?? '');
      expect((await service.send('GET', '/livez')).status).toBe(200);
      const document = JSON.parse((await service.send('GET', '/openapi.json')).text) as { openapi: string };
      expect(document.openapi).toMatch(/^3\.1/);
      const { headers, text } = await service.send('GET', '/metrics');
      expect(headers.get('content-type')).toContain('text/plain');
      expect(text).toMatch(/^writ_events_total\{.*event="instance_started".*\} 1$/m);
    }
    const described = JSON.parse((await world.client.send('GET', '/openapi.json')).text) as { paths: object };
    expect(Object.keys(described.paths).sort()).toEqual([
      '/v1/sessions',
      '/v1/sessions/{id}/events',
      '/v1/sessions/{id}/interrupt',
      '/v1/sessions/{id}/tools',
      '/v1/sessions/{id}/transcript',
      '/v1/sessions/{id}/turns',
      '/v1/sessions/{id}/turns/{turnId}',
    ]);
  });

  it('a call that waits for a person is listed, runs nothing, and is abandoned when the turn is out of time', async () => {
    const { client, model, probe, stack } = world;
    const desk = new Client(stack.addresses.approvals ?? '');
    model.says({ calls: [call('probe_ask', { k: 'asks' })] });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go', { budgets: { wallTime: '12s' } });
    await eventually(
      'the turn waits for a person',
      async () => (await client.turn(sessionId, turnId)).status === 'waiting_for_person',
    );
    const [waiting] = await client.calls(sessionId);
    const listed = async () => {
      const { text } = await desk.send('GET', '/v1/approvals?status=pending');
      const { items } = approvalListSchema.parse(JSON.parse(text));
      return items.filter((item) => item.sessionId === sessionId);
    };
    const approval = await eventually('it is listed', async () => (await listed())[0]);
    expect(approval).toMatchObject({
      callId: waiting?.callId,
      turnId,
      tool: 'probe_ask',
      args: { k: 'asks' },
      status: 'pending',
    });
    const list = sessionListSchema.parse(
      JSON.parse((await client.send('GET', '/v1/sessions?limit=500')).text),
    );
    expect(list.items.find((item) => item.sessionId === sessionId)).toMatchObject({
      status: 'waiting_for_person',
      openCalls: 1,
    });
    expect(await client.ended(sessionId, turnId)).toMatchObject({
      status: 'failed',
      failure: { code: 'budget_exhausted' },
      openCalls: [],
    });
    expect(await client.calls(sessionId)).toMatchObject([
      { outcome: 'skipped', effect: 'none', code: 'wall_time', epochs: [] },
    ]);
    await eventually('it is listed no more', async () => (await listed()).length === 0);
    expect(probe.countOf('asks')).toBe(0);
    await scene.isLegal(sessionId);
  });
});
