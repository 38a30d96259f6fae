import { approvalListSchema, decisionResponseSchema, type Approval } from '@writ/contracts';
import { audited, call, Client, eventually, startWorld, type World } from './world';

jest.setTimeout(90_000);

describe('a person decides', () => {
  let world: World;
  let desk: Client;
  beforeAll(async () => {
    // Restarts of all services take their time; a call that nobody claims meanwhile is not lost.
    world = await startWorld({ env: { WRIT_UNCLAIMED_MS: '60000' } });
    desk = new Client(world.stack.addresses.approvals ?? '');
  });
  afterAll(() => world.close());
  afterEach(async () => {
    world.model.forget();
    expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]);
  });

  const waiting = (sessionId: string, many = 1): Promise<readonly Approval[]> =>
    eventually('the approval is asked for', async () => {
      const { items } = approvalListSchema.parse(
        JSON.parse((await desk.send('GET', '/v1/approvals?status=pending')).text),
      );
      const mine = items.filter((item) => item.sessionId === sessionId && item.deadline !== undefined);
      return mine.length === many ? mine : undefined;
    });
  const decide = (approval: Approval, body: object) =>
    desk.send('POST', `/v1/approvals/${approval.callId}/decision`, {
      argsDigest: approval.argsDigest,
      ...body,
    });
  const endOf = (sessionId: string, turnId: string) =>
    eventually('the turn ends', async () => {
      const turn = await world.client.turn(sessionId, turnId);
      return turn.endedAt === undefined ? undefined : turn;
    });
  const asking = async (...keys: readonly string[]) => {
    const { client, model } = world;
    model.says({ calls: keys.map((k) => call('probe_ask', { k })) }, { text: 'done' });
    const sessionId = await client.openSession();
    const turnId = await client.startTurn(sessionId, 'go');
    return { sessionId, turnId, approvals: await waiting(sessionId, keys.length) };
  };

  it('a granted call runs once; the same answer again is the same answer, another one comes too late', async () => {
    const { sessionId, turnId, approvals } = await asking('granted');
    const [approval] = approvals;
    if (approval === undefined) throw new Error('nothing waits');
    expect(await world.client.turn(sessionId, turnId)).toMatchObject({ status: 'waiting_for_person' });
    expect(world.probe.countOf('granted')).toBe(0);
    const { status, text } = await decide(approval, { decision: 'grant' });
    expect(status).toBe(200);
    const first = decisionResponseSchema.parse(JSON.parse(text));
    expect(first).toMatchObject({ status: 'granted', by: 'unauthenticated' });
    expect((await endOf(sessionId, turnId)).status).toBe('completed');
    expect(world.probe.countOf('granted')).toBe(1);
    expect(await decide(approval, { decision: 'grant' })).toMatchObject({ status: 200, text });
    const path = `/v1/approvals/${approval.callId}/decision`;
    const body = { decision: 'deny', argsDigest: approval.argsDigest };
    expect(await desk.problem('POST', path, body)).toMatchObject({
      status: 409,
      code: 'already_decided',
      decision: 'granted',
    });
    expect(world.probe.countOf('granted')).toBe(1);
    const [settled] = await world.client.calls(sessionId);
    expect(settled).toMatchObject({
      authorization: { verdict: 'ask', decision: { answer: 'grant' } },
      outcome: 'succeeded',
    });
  });

  it.each([{ comment: 'not on a Friday' }, {}])(
    'a denied call never runs and says so, with the comment where there is one',
    async (more) => {
      const { sessionId, turnId, approvals } = await asking('denied');
      const [approval] = approvals;
      if (approval === undefined) throw new Error('nothing waits');
      expect((await decide(approval, { decision: 'deny', ...more })).status).toBe(200);
      expect((await endOf(sessionId, turnId)).status).toBe('completed');
      const [settled] = await world.client.calls(sessionId);
      expect(settled).toMatchObject({ outcome: 'denied', effect: 'none', epochs: [] });
      expect(JSON.stringify(settled?.content)).toContain(more.comment ?? 'a person denied');
      expect(world.probe.countOf('denied')).toBe(0);
    },
  );

  it('of two calls that wait only the one that is named moves, in either order', async () => {
    for (const [granted, denied] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const keys = [`first-${granted}`, `second-${granted}`];
      const { sessionId, turnId, approvals } = await asking(...keys);
      const [one, other] = [approvals[granted], approvals[denied]];
      if (one === undefined || other === undefined) throw new Error('two calls wait');
      await decide(one, { decision: 'grant' });
      await eventually('the granted one runs', () => world.probe.count(one.callId) === 1);
      expect(world.probe.count(other.callId)).toBe(0);
      await decide(other, { decision: 'deny' });
      expect((await endOf(sessionId, turnId)).status).toBe('completed');
      expect([world.probe.count(one.callId), world.probe.count(other.callId)]).toEqual([1, 0]);
    }
  });

  it('a decision with another digest, for an unknown call or with a bad body runs nothing', async () => {
    const { sessionId, turnId, approvals } = await asking('careful');
    const [approval] = approvals;
    if (approval === undefined) throw new Error('nothing waits');
    const path = `/v1/approvals/${approval.callId}/decision`;
    const other = `sha256:${'0'.repeat(64)}`;
    expect(await desk.problem('POST', path, { decision: 'grant', argsDigest: other })).toMatchObject({
      status: 422,
      code: 'args_digest_mismatch',
    });
    expect(
      await desk.problem('POST', path, { decision: 'maybe', argsDigest: approval.argsDigest }),
    ).toMatchObject({ status: 400, field: 'decision' });
    const unknown = await desk.problem('POST', '/v1/approvals/call_none/decision', {
      decision: 'grant',
      argsDigest: other,
    });
    expect(unknown).toMatchObject({ status: 404, code: 'not_found' });
    expect(world.probe.countOf('careful')).toBe(0);
    await decide(approval, { decision: 'deny' });
    await endOf(sessionId, turnId);
    expect(world.probe.countOf('careful')).toBe(0);
  });

  it('a grant stands over a restart of every service between request, decision, wake and claim', async () => {
    const { stack, probe } = world;
    const { sessionId, turnId, approvals } = await asking('restarted');
    const [approval] = approvals;
    if (approval === undefined) throw new Error('nothing waits');
    await stack.kill('approval-service-1');
    await stack.start('approval-service-1');
    const [again] = await waiting(sessionId);
    expect(again).toEqual(approval);
    await stack.kill('tool-executor-1');
    await stack.kill('turn-orchestrator-1');
    await decide(approval, { decision: 'grant' });
    await stack.kill('approval-service-1');
    for (const name of ['turn-orchestrator-1', 'tool-executor-1', 'approval-service-1'])
      await stack.start(name);
    expect((await endOf(sessionId, turnId)).status).toBe('completed');
    expect(probe.countOf('restarted')).toBe(1);
  });
});

describe('nobody decides', () => {
  it('at the deadline the call is expired, has run nothing, and a late answer is kept as evidence', async () => {
    const world = await startWorld({ config: require.resolve('../fixtures/impatient.config.yaml') });
    try {
      const { client, model, probe } = world;
      const desk = new Client(world.stack.addresses.approvals ?? '');
      model.says({ calls: [call('probe_ask', { k: 'late' })] }, { text: 'done' });
      const sessionId = await client.openSession();
      const turn = await client.runTurn(sessionId, 'go');
      expect(turn.status).toBe('completed');
      const [expired] = await client.calls(sessionId);
      expect(expired).toMatchObject({ outcome: 'expired', effect: 'none', epochs: [] });
      const body = { decision: 'grant', argsDigest: expired?.argsDigest };
      const late = await desk.problem('POST', `/v1/approvals/${expired?.callId ?? ''}/decision`, body);
      expect(late).toMatchObject({ status: 410, code: 'approval_expired' });
      expect(probe.countOf('late')).toBe(0);
      expect((await client.calls(sessionId))[0]?.late).toMatchObject([
        { kind: 'decision', by: 'unauthenticated' },
      ]);
      expect((await audited(world.stack.addresses.eventstore)).findings).toEqual([]);
    } finally {
      await world.close();
    }
  });
});
