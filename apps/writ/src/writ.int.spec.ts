import { randomUUID } from 'node:crypto';
import { renderTranscript } from '@writ/audit';
import { auditReportSchema, canonicalTranscriptSchema, recordedEventSchema } from '@writ/contracts';
import { commandWorld, run, write, type CommandWorld } from './testing/command-world';

jest.setTimeout(60_000);

describe('the command', () => {
  let world: CommandWorld;
  beforeAll(async () => {
    world = await commandWorld();
  });
  afterAll(() => world.stop());

  it('prints the bytes of a transcript and not one more', async () => {
    for (const format of ['canonical', 'openai', 'anthropic'] as const) {
      const rendered = await renderTranscript(world.store, 's1', { format });
      const ended = await world.spawned('transcript', 's1', '--format', format);
      expect(ended).toEqual({
        code: 0,
        stderr: '',
        stdout: rendered.outcome === 'rendered' && rendered.text,
      });
    }
    const { stdout } = await world.writ('transcript', 's2');
    const { position } = canonicalTranscriptSchema.parse(JSON.parse(stdout));
    expect((await world.writ('transcript', 's2', '--at', position)).stdout).toBe(stdout);
    expect((await world.writ('transcript', 's2', '--at', String(Number(position) - 1))).stdout).not.toBe(
      stdout,
    );
  });

  it('proves the record for people and for programs', async () => {
    const forPrograms = await world.writ('audit', 'verify', '--json');
    expect(forPrograms.code).toBe(0);
    const report = auditReportSchema.parse(JSON.parse(forPrograms.stdout));
    expect(report).toMatchObject({ ok: true, findings: [], counts: { sessions: 2, calls: 9 } });
    const forPeople = await world.writ('audit', 'verify', '--session', 's1');
    expect(forPeople).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ The record holds') });
  });

  it('lists sessions, approvals, tools and instances', async () => {
    const itemsOf = async (...line: string[]): Promise<unknown> =>
      JSON.parse((await world.writ(...line, '--json')).stdout);
    expect(await itemsOf('sessions', '--limit', '1')).toMatchObject({
      items: [{ sessionId: 's2', status: 'waiting_for_person', openCalls: 1 }],
    });
    expect(await itemsOf('approvals')).toMatchObject({ items: [{ callId: 'z', sessionId: 's2' }] });
    expect(await itemsOf('tools')).toMatchObject({ pools: [{ pool: 'default' }] });
    for (const list of ['sessions', 'approvals', 'tools', 'instances']) {
      const ended = await world.writ(list);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout.split('\n').length).toBeGreaterThan(2);
    }
  });

  it('replays a session, explains a call and exports events as they are recorded', async () => {
    expect(await world.writ('audit', 'replay', 's1')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the same bytes'),
    });
    const explained = await world.writ('audit', 'explain', 'b');
    expect(explained.stdout).toMatch(/ToolCallStaged +transfer_funds: ask by policy\[1\]/);
    expect(explained.stdout).not.toContain('notes.txt');
    const forPrograms = await world.writ('audit', 'explain', 'b', '--json');
    expect(forPrograms.stdout).toContain('"type":"ToolCallStaged"');
    expect(forPrograms.stdout).toContain('"type":"ToolResultCommitted"');
    expect(forPrograms.stdout).not.toMatch(/rawArguments|"content"|"evidence"/);
    const exported = await world.writ('audit', 'export');
    const lines = exported.stdout
      .trimEnd()
      .split('\n')
      .map((line) => recordedEventSchema.parse(JSON.parse(line)));
    expect(lines).toHaveLength(75);
    const ofSession = await world.writ('audit', 'export', '--session', 's2');
    expect(ofSession.stdout.trimEnd().split('\n')).toHaveLength(6);
  });

  it('declares a dead instance dead once, in the record, which still holds', async () => {
    const end = () => world.writ('instances', 'end', 'tool-executor.e2', '--gone', '--json');
    expect(JSON.parse((await end()).stdout)).toEqual({
      instance: 'tool-executor.e2#1',
      ended: true,
      reason: 'gone',
      by: 'operator',
    });
    expect(JSON.parse((await end()).stdout)).toMatchObject({ ended: false });
    expect((await world.writ('instances')).stdout).toMatch(/tool-executor\.e2#1 .* gone, by operator/);
    expect((await world.writ('audit', 'verify')).code).toBe(0);
  });

  it('says wrong usage with 2 and one line', async () => {
    const lines = [
      ['transcript', 'nobody'],
      ['transcript', 's1', '--format', 'xml'],
      ['transcript', 's1', '--at', '-1'],
      ['audit', 'verify', '--session', 'nobody'],
      ['audit', 'explain', 'nobody'],
      ['audit', 'export', '--session', 'nobody'],
      ['instances', 'end', 'tool-executor.e1'],
      ['instances', 'end', 'tool-executor.nobody', '--gone'],
      ['sessions', '--limit', '0'],
      ['no-such-thing'],
      ['sessions', '--eventstore', 'nonsense'],
    ];
    for (const line of lines) {
      const ended = await world.writ(...line);
      expect([line, ended.code, ended.stdout]).toEqual([line, 2, '']);
      expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('says with 3 that the store is out of reach, and shows no credentials', async () => {
    for (const line of [
      ['transcript', 's1'],
      ['audit', 'verify'],
    ]) {
      const ended = await run(line, { WRIT_EVENTSTORE_URL: 'esdb://admin:secret@127.0.0.1:1?tls=false' });
      expect([line, ended.code, ended.stdout]).toEqual([line, 3, '']);
      expect(ended.stderr).toBe('writ: cannot reach the store at esdb://127.0.0.1:1?tls=false\n');
    }
  });

  it('says with 1 that the record is broken, and where', async () => {
    await write(world.store, {
      ...{ id: randomUUID(), stream: 'toolcall-forged', revision: 0, type: 'ToolResultCommitted' },
      data: {
        callId: 'forged',
        outcome: 'succeeded',
        effect: 'none',
        content: [],
        digest: `sha256:${'0'.repeat(64)}`,
      },
      metadata: {},
    });
    const ended = await world.writ('audit', 'verify', '--json');
    expect(ended.code).toBe(1);
    const report = auditReportSchema.parse(JSON.parse(ended.stdout));
    expect(report.ok).toBe(false);
    expect(report.findings.flatMap(({ events }) => events)).toContainEqual(
      expect.objectContaining({ stream: 'toolcall-forged' }),
    );
    expect(await world.spawned('audit', 'verify')).toMatchObject({ code: 1, stderr: '' });
    expect((await world.writ('audit', 'verify')).stdout).toMatch(/✗ The record does not hold/);
  });
});
