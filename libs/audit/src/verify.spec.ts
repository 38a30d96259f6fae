import { auditReportSchema, recordedEventSchema, type RecordedEvent } from '@writ/contracts';
import { auditLimits } from './limits';
import { goldenHistory, storeOf, unreachable } from './testing/golden-store';
import { verify } from './verify';

async function reportOf(events: readonly RecordedEvent[], sessionId?: string) {
  const verification = await verify(storeOf(events), { sessionId });
  if (verification.outcome !== 'verified') throw new Error(verification.outcome);
  return verification.report;
}

/** The golden history with one event changed. */
const changed = (
  stream: string,
  revision: number,
  change: (event: RecordedEvent) => Partial<RecordedEvent>,
) =>
  goldenHistory().map((event) =>
    event.stream === stream && event.revision === revision ? { ...event, ...change(event) } : event,
  );

describe('audit verify', () => {
  it('proves the golden history, in the shape that programs read', async () => {
    const history = goldenHistory();
    const report = await reportOf(history);
    expect(auditReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(report).toMatchObject({
      ok: true,
      throughPosition: history.at(-1)?.position,
      counts: { sessions: 2, calls: 9, events: history.length },
      findings: [],
    });
    expect(Object.keys(report.rules)).toEqual(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10']);
    expect(Object.values(report.rules).every(({ checked, findings }) => checked > 0 && findings === 0)).toBe(
      true,
    );
    expect(report.calls.map(({ callId, standing }) => [callId, standing])).toEqual([
      ['g', 'approved_never_ran'],
      ['h', 'ran_and_failed'],
      ['z', 'awaiting_approval'],
    ]);
  });

  it('proves one session with the leases and catalogs that it relies on', async () => {
    const report = await reportOf(goldenHistory(), 's1');
    expect(report).toMatchObject({ ok: true, counts: { sessions: 1, calls: 8 } });
    expect(report.rules.A6).toEqual({ checked: 4, findings: 0 });
    expect(await verify(storeOf(goldenHistory()), { sessionId: 'nobody' })).toEqual({ outcome: 'not_found' });
  });

  it('names the rule, the place and nothing of the content where a record was altered', async () => {
    const altered = changed('toolcall-a', 1, () => ({ data: { secret: 'a password' } }));
    const report = await reportOf(altered);
    expect(report.ok).toBe(false);
    const places = report.findings.filter(({ rule }) => rule === 'A10').flatMap(({ events }) => events);
    expect(places).toContainEqual(expect.objectContaining({ stream: 'toolcall-a', revision: 1 }));
    expect(JSON.stringify(report)).not.toContain('password');
    expect(report.rules.A10?.findings).toBe(report.findings.filter(({ rule }) => rule === 'A10').length);
  });

  it('finds a word that was changed although everything still parses', async () => {
    const altered = changed('session-s1', 2, ({ data }) => ({
      data: { ...Object(data), input: 'Something else.' },
    }));
    const report = await reportOf(altered);
    expect(report.findings).toMatchObject([{ rule: 'A10', events: [{ stream: 'session-s1', revision: 2 }] }]);
  });

  it('finds a renewal after the end of its lease, and asks nothing of those before', async () => {
    const history = goldenHistory();
    const renewal = history.find(
      ({ stream, type }) => stream === 'lease-tool-executor.e1.0' && type === 'LeaseRenewed',
    );
    const late = { ...renewal, revision: 2, position: '9000000', id: 'late' };
    const report = await reportOf([...history, recordedEventSchema.parse(late)]);
    expect(report.findings.map(({ rule }) => rule)).toContain('A5');
  });

  it('survives events that nobody can read', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const unreadable: readonly Partial<RecordedEvent>[] = [
      { data: undefined, metadata: undefined },
      { metadata: 'text' },
      { metadata: null, data: null },
      { type: 'NeverHeardOf' },
      { data: { turnId: 't1', finalText: deep } },
    ];
    for (const change of unreadable) {
      const report = await reportOf(changed('session-s1', 15, () => change));
      expect(report.findings).toContainEqual(expect.objectContaining({ rule: 'A10' }));
    }
  });

  it('reads a log of many pages up to its head, and leaves alone what is not ours', async () => {
    const history = goldenHistory();
    const strangers = Array.from({ length: auditLimits.logPage * 2 }, (_, index) => ({
      id: `x${index}`,
      stream: 'somebody-elses',
      revision: index,
      position: String(1_000_000 + index),
      type: 'Whatever',
      data: undefined,
      metadata: undefined,
    }));
    const report = await reportOf([...history.slice(0, 40), ...strangers, ...history.slice(40).map(later)]);
    expect(report).toMatchObject({ ok: true, counts: { events: history.length } });
  });

  it('says that the store cannot be read, and does not guess', async () => {
    let reads = 0;
    const store = storeOf(goldenHistory(), () => (++reads > 1 ? unreachable : undefined));
    expect(await verify(store)).toEqual(unreachable);
    expect(
      await verify(
        storeOf([], () => unreachable),
        { sessionId: 's1' },
      ),
    ).toEqual(unreachable);
  });

  it('proves an empty log', async () => {
    expect(await reportOf([])).toMatchObject({
      ok: true,
      throughPosition: '0',
      counts: { sessions: 0, calls: 0, events: 0 },
    });
  });
});

const later = (event: RecordedEvent): RecordedEvent => ({
  ...event,
  position: String(2_000_000 + Number(event.position)),
});
