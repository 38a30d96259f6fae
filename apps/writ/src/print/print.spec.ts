import type { AuditReport } from '@writ/contracts';
import { ageOf } from './age';
import { outTo } from './out';
import { printReport } from './report';
import { printTable } from './table';

function paper() {
  const lines: string[] = [];
  const out = outTo(
    { write: (text: string) => lines.push(text) },
    { write: (text: string) => lines.push(text) },
  );
  return { out, text: () => lines.join('') };
}

const report: AuditReport = {
  ok: false,
  throughPosition: '900',
  counts: { sessions: 1, calls: 2, events: 30 },
  rules: {
    A1: { checked: 2, findings: 1 },
    A9: { checked: 2, findings: 0 },
    A10: { checked: 30, findings: 0 },
  },
  findings: [
    {
      rule: 'A1',
      message: 'call a was started before it was staged',
      events: [{ stream: 'toolcall-a', revision: 0, position: '400' }],
    },
  ],
  calls: [
    {
      callId: 'z',
      sessionId: 's2',
      standing: 'awaiting_approval',
      since: '2026-01-01T10:00:00.000Z',
      event: { stream: 'session-s2', revision: 4, position: '700' },
    },
  ],
};

describe('a report on paper', () => {
  it('has the rules that were checked, each finding with its places, the calls with their age, and the verdict', () => {
    const { out, text } = paper();
    printReport(out, report, Date.parse('2026-01-01T10:05:30.000Z'));
    expect(text()).toMatch(/Audit of 1 session, 2 calls, 30 events, through log position 900/);
    expect(text()).toMatch(/A1 .* 2 {2}✗ 1/);
    expect(text()).toMatch(/A10 .* 30 {2}✓/);
    expect(text()).not.toMatch(/A2 /);
    expect(text()).toMatch(/A1 {2}call a was started before it was staged\n +toolcall-a@0 {2}position 400/);
    expect(text()).toMatch(/z +s2 +awaiting approval +5 min +700/);
    expect(text()).toMatch(/✗ The record does not hold: 1 finding\./);
  });

  it('has no colour where nobody looks at it', () => {
    const { out, text } = paper();
    printReport(out, { ...report, ok: true, findings: [], calls: [] }, 0);
    expect(text()).toMatch(/✓ The record holds/);
    expect(text()).not.toContain('\u001b');
  });

  it('counts the findings that it does not show', () => {
    const { out, text } = paper();
    const [finding] = report.findings;
    printReport(
      out,
      { ...report, findings: Array.from({ length: 53 }, () => finding).filter((one) => one !== undefined) },
      0,
    );
    expect(text()).toContain('and 3 more; --json has them all');
  });
});

describe('small things on paper', () => {
  it('an age is in one unit, and never less than nothing', () => {
    const now = Date.parse('2026-01-03T12:00:00.000Z');
    const ages = [
      '2026-01-03T11:59:18.000Z',
      '2026-01-03T11:18:00.000Z',
      '2026-01-03T03:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ];
    expect(ages.map((time) => ageOf(time, now))).toEqual(['42 s', '42 min', '9 h', '2 d', '0 s']);
  });

  it('a table without rows says so', () => {
    const { out, text } = paper();
    printTable(out, { head: ['a'], rows: [], empty: 'no sessions' });
    expect(text()).toBe('  no sessions\n');
  });
});
