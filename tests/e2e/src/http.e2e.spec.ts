import { audited, call, eventually, patient, Scene, startWorld, type World } from './world';

jest.setTimeout(120_000);

const orchestrator = 'turn-orchestrator-1';
const turns = (sessionId: string) => `/v1/sessions/${sessionId}/turns`;

/** What the orchestrator answers to requests that it cannot grant (interfaces.md, the table of codes). */
describe('the answers of the orchestrator', () => {
  let world: World;
  let scene: Scene;
  let sessionId: string;
  beforeAll(async () => {
    world = await startWorld({ env: { ...patient, WRIT_UNCLAIMED_MS: '60000' } });
    scene = new Scene(world);
    sessionId = await world.client.openSession();
  });
  afterAll(() => world.close());
  afterEach(() => scene.restore('nats-server', 'event-store', orchestrator, 'tool-executor-1'));
  afterEach(async () => expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]));

  describe('400 invalid_request', () => {
    it.each([
      ['JSON that does not parse', 'POST', '/v1/sessions', '{"toolsets":', 'body'],
      ['a body that is no object', 'POST', '/v1/sessions', [], 'body'],
      ['an unknown key', 'POST', '/v1/sessions', { toolset: ['probes'] }, 'toolset'],
      ['an unknown toolset', 'POST', '/v1/sessions', { toolsets: ['probes', 'nuclear'] }, 'toolsets.1'],
      [
        'an unknown toolset to leave out',
        'POST',
        '/v1/sessions',
        { disabledToolsets: ['no'] },
        'disabledToolsets.0',
      ],
      ['an unknown platform', 'POST', '/v1/sessions', { platform: 'moon' }, 'platform'],
      ['a page of nothing', 'GET', '/v1/sessions?limit=0', undefined, 'limit'],
      ['a page that is no number', 'GET', '/v1/sessions?limit=many', undefined, 'limit'],
      ['an unknown query', 'GET', '/v1/sessions?offset=3', undefined, 'offset'],
    ])('%s is named', async (...given) => {
      const [, method, path, body, field] = given;
      const problem = await world.client.problem(method, path, body);
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request', field });
    });

    it.each([
      ['no body at all', 'POST', '', undefined, 'body'],
      ['no input', 'POST', '', {}, 'input'],
      ['an empty input', 'POST', '', { input: '' }, 'input'],
      ['an unknown key', 'POST', '', { input: 'go', stream: true }, 'stream'],
      ['a budget of nothing', 'POST', '', { input: 'go', budgets: { steps: 0 } }, 'budgets.steps'],
      ['an unknown budget', 'POST', '', { input: 'go', budgets: { money: 3 } }, 'budgets.money'],
      ['a bad duration', 'POST', '', { input: 'go', budgets: { wallTime: '1 day' } }, 'budgets.wallTime'],
      ['an unknown way to wait', 'POST', '?wait=long', { input: 'go' }, 'wait'],
      ['an input that no append can hold', 'POST', '', { input: 'a'.repeat(1_200_000) }, 'input'],
      ['a body over every limit', 'POST', '', { input: 'a'.repeat(5_000_000) }, 'body'],
    ])('%s of a turn is named, and no turn begins', async (...given) => {
      const [, method, query, body, field] = given;
      const problem = await world.client.problem(method, `${turns(sessionId)}${query}`, body);
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request', field });
      expect((await world.client.transcript(sessionId)).turns).toEqual([]);
    });

    it.each([
      ['format=xml', 'format'],
      ['at=yesterday', 'at'],
      ['at=-1', 'at'],
      ['from=0', 'from'],
    ])('a transcript with %s is named', async (query, field) => {
      const path = `/v1/sessions/${sessionId}/transcript?${query}`;
      expect(await world.client.problem('GET', path)).toMatchObject({
        status: 400,
        code: 'invalid_request',
        field,
      });
    });

    it('a header that is no key or no position is named', async () => {
      const { client } = world;
      const started = client.problem(
        'POST',
        turns(sessionId),
        { input: 'go' },
        { 'idempotency-key': 'two words' },
      );
      expect(await started).toMatchObject({ code: 'invalid_request', field: 'Idempotency-Key' });
      const events = client.problem('GET', `/v1/sessions/${sessionId}/events`, undefined, {
        'last-event-id': 'x',
      });
      expect(await events).toMatchObject({ code: 'invalid_request', field: 'Last-Event-ID' });
    });
  });

  describe('404 not_found', () => {
    it.each([
      ['GET', '/v1/sessions/ses_none/turns/turn_none'],
      ['POST', '/v1/sessions/ses_none/turns'],
      ['POST', '/v1/sessions/ses_none/interrupt'],
      ['GET', '/v1/sessions/ses_none/transcript'],
      ['GET', '/v1/sessions/ses_none/events'],
      ['GET', '/v1/sessions/ses_none/tools'],
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/sessions'],
      ['GET', `/v1/sessions/${'x'.repeat(300)}/transcript`],
      ['GET', '/v1/sessions/a%00b/tools'],
      ['GET', '/v1/sessions/gr%C3%BC%C3%9Fe/turns/t'],
      ['POST', '/v1/sessions/a%20b%2F..%2Fc/interrupt'],
    ])('%s %s', async (method, path) => {
      const body = method === 'POST' ? { input: 'go' } : undefined;
      expect(await world.client.problem(method, path, body)).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    });

    it('a turn of another session', async () => {
      const { client } = world;
      const mine = await client.openSession();
      const { turnId } = await client.runTurn(mine, 'go');
      expect(await client.problem('GET', `${turns(sessionId)}/${turnId}`)).toMatchObject({
        code: 'not_found',
      });
    });
  });

  describe('409', () => {
    it('turn_in_progress while a turn runs, whoever asks and however it waits', async () => {
      const { client, model } = world;
      model.says({ text: 'done', delayMs: 2_000 });
      const mine = await client.openSession();
      const turnId = await client.startTurn(mine, 'go');
      for (const query of ['', '?wait=true'])
        expect(await client.problem('POST', `${turns(mine)}${query}`, { input: 'more' })).toMatchObject({
          status: 409,
          code: 'turn_in_progress',
        });
      expect(await client.ended(mine, turnId)).toMatchObject({ status: 'completed', input: 'go' });
      expect((await client.transcript(mine)).turns).toHaveLength(1);
    });

    it('earlier_calls_open, with the calls and when to ask again', async () => {
      const { client, model, probe, stack } = world;
      const fault = { stream: 'toolcall-', eventType: 'ToolResultCommitted' } as const;
      await stack.faults.arm({ on: 'append', ...fault, do: 'fail_unavailable' });
      model.says({ calls: [call('probe_slow', { k: 'open' })] });
      const mine = await client.openSession();
      const turn = await client.runTurn(mine, 'go');
      expect(turn).toMatchObject({
        status: 'failed',
        failure: { code: 'session_persistence_failed', cause: 'result_not_committed' },
      });
      expect(turn.openCalls).toHaveLength(1);
      const { status, headers, text } = await client.send('POST', turns(mine), { input: 'more' });
      expect(status).toBe(409);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.parse(text)).toMatchObject({ code: 'earlier_calls_open', calls: turn.openCalls });
      await stack.faults.heal();
      await eventually('it is settled', async () => (await client.calls(mine))[0]?.outcome);
      expect(probe.countOf('open')).toBe(1);
    });

    it('idempotency_key_reused for another body; the same body is the same turn, at once, later and after a restart', async () => {
      const { client, model, probe, stack } = world;
      model.says({ calls: [call('probe_write', { k: 'idem', ms: 500 })] }, { text: 'done' });
      const mine = await client.openSession();
      const key = { 'idempotency-key': 'a-key' };
      const post = async (input: string, query = '') =>
        client.send('POST', `${turns(mine)}${query}`, { input }, key);
      const [one, two] = await Promise.all([post('go'), post('go')]);
      expect([one.status, two.status]).toEqual([202, 202]);
      expect(two.text).toBe(one.text);
      const { turnId } = JSON.parse(one.text) as { turnId: string };
      const other = await client.problem('POST', turns(mine), { input: 'other' }, key);
      expect(other).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
      const waited = await post('go', '?wait=true');
      expect(waited.status).toBe(200);
      expect(JSON.parse(waited.text)).toMatchObject({ turnId, status: 'completed', finalText: 'done' });
      await stack.kill(orchestrator);
      await scene.revive(orchestrator);
      expect(await post('go')).toMatchObject({ status: 202, text: one.text });
      expect(await client.problem('POST', turns(mine), { input: 'other' }, key)).toMatchObject({
        code: 'idempotency_key_reused',
      });
      expect((await client.transcript(mine)).turns).toHaveLength(1);
      expect(probe.countOf('idem')).toBe(1);
    });
  });

  describe('503', () => {
    it('session_persistence_failed where a turn cannot be put on record; the same key finds it should it land', async () => {
      const { client, model, stack } = world;
      const mine = await client.openSession();
      const key = { 'idempotency-key': 'lands-late' };
      await stack.faults.arm({ on: 'append', eventType: 'TurnStarted', do: 'hold' });
      model.says({ text: 'done' });
      expect(await client.problem('POST', turns(mine), { input: 'go' }, key)).toMatchObject({
        status: 503,
        code: 'session_persistence_failed',
      });
      expect((await client.transcript(mine)).turns).toEqual([]);
      await stack.faults.heal();
      const again = await eventually('the request is taken', async () => {
        const answer = await client.send('POST', `${turns(mine)}?wait=true`, { input: 'go' }, key);
        return answer.status === 200 ? answer.text : undefined;
      });
      expect(JSON.parse(again)).toMatchObject({ status: 'completed', finalText: 'done' });
      expect((await client.transcript(mine)).turns).toHaveLength(1);
    });

    it('store_unavailable while the store is away, for everything that would ask it', async () => {
      const { client, stack } = world;
      await stack.kill('event-store');
      const session = `/v1/sessions/${sessionId}`;
      const asked = [
        ['POST', '/v1/sessions'],
        ['POST', `${session}/turns`],
        ['POST', `${session}/interrupt`],
        ['GET', `${session}/turns/turn_x`],
        ['GET', `${session}/transcript`],
        ['GET', `${session}/events`],
        ['GET', `${session}/tools`],
      ] as const;
      for (const [method, path] of asked) {
        const body = path.endsWith('/turns') ? { input: 'go' } : method === 'POST' ? {} : undefined;
        const problem = await client.problem(method, path, body);
        expect({ path, code: problem.code, status: problem.status }).toEqual({
          path,
          code: 'store_unavailable',
          status: 503,
        });
      }
      await scene.revive('event-store', orchestrator);
      await client.openSession();
    });
  });
});
