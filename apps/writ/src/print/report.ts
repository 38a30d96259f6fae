import type { AuditFinding, AuditReport, AuditRule } from '@writ/contracts';
import { ageOf } from './age';
import type { Out } from './out';
import { printTable } from './table';

/** Protocol 8, in the words of somebody who asks. */
const titles: Readonly<Record<AuditRule, string>> = {
  A1: 'no start without a staged call, before it and with the same digest',
  A2: 'exactly one result per settled call, and none that was not staged',
  A3: 'every result that the model was given is the one on record',
  A4: 'no start without authorization; who decided, in time, for that call',
  A5: 'epochs never fall; nobody writes under a superseded one',
  A6: 'one start per epoch; a second only where it is allowed',
  A7: 'what was refused, denied, expired or skipped never ran; segments in order',
  A8: 'every transcript is legal for OpenAI and Anthropic',
  A9: 'open, doubtful and held calls (a list, no verdict)',
  A10: 'nobody altered the record (digest chain)',
};

/** Findings shown in full; the rest is counted, and all of them are in `--json`. */
const findingsShown = 50;

export function printReport(out: Out, report: AuditReport, nowMs: number): void {
  const { counts, throughPosition } = report;
  out.line();
  out.line(
    `  ${out.colors.bold('Audit')} of ${count(counts.sessions, 'session')}, ${count(counts.calls, 'call')}, ` +
      `${count(counts.events, 'event')}, through log position ${throughPosition}`,
  );
  out.line();
  printRules(out, report);
  if (report.findings.length > 0) printFindings(out, report.findings);
  if (report.calls.length > 0) printCalls(out, report, nowMs);
  out.line();
  out.line(`  ${verdict(out, report)}`);
  out.line();
}

function printRules(out: Out, { rules, calls }: AuditReport): void {
  const rows = Object.entries(titles).flatMap(([rule, title]) => {
    const checked = Object.entries(rules).find(([name]) => name === rule)?.[1];
    if (!checked) return [];
    return [
      [rule, title, String(checked.checked), mark(out, rule === 'A9' ? -calls.length : checked.findings)],
    ];
  });
  printTable(out, { head: ['rule', '', 'checked', ''], rows, empty: 'nothing was checked', right: [2] });
}

/** Below zero: so many are listed, which is no fault. */
function mark({ colors }: Out, findings: number): string {
  if (findings < 0) return colors.dim(`${-findings} listed`);
  return findings === 0 ? colors.green('✓') : colors.red(`✗ ${findings}`);
}

function printFindings(out: Out, findings: readonly AuditFinding[]): void {
  out.line();
  out.line(`  ${out.colors.bold('Findings')}`);
  for (const { rule, message, events } of findings.slice(0, findingsShown)) {
    out.line(`  ${out.colors.red(rule.padEnd(3))} ${message}`);
    for (const { stream, revision, position } of events) {
      out.line(out.colors.dim(`        ${stream}@${revision}  position ${position}`));
    }
  }
  const more = findings.length - findingsShown;
  if (more > 0) out.line(out.colors.dim(`      and ${more} more; --json has them all`));
}

function printCalls(out: Out, { calls }: AuditReport, nowMs: number): void {
  out.line();
  out.line(`  ${out.colors.bold('Calls to look at')}`);
  const rows = calls
    .slice(0, findingsShown)
    .map(({ callId, sessionId, standing, since, event }) => [
      callId,
      sessionId,
      standing.replaceAll('_', ' '),
      ageOf(since, nowMs),
      event.position,
    ]);
  printTable(out, { head: ['call', 'session', '', 'for', 'position'], rows, empty: '', right: [3, 4] });
  const more = calls.length - findingsShown;
  if (more > 0) out.line(out.colors.dim(`  and ${more} more; --json has them all`));
}

function verdict({ colors }: Out, { ok, findings, counts }: AuditReport): string {
  return ok
    ? colors.green(`✓ The record holds: every rule kept in ${count(counts.events, 'event')}.`)
    : colors.red(`✗ The record does not hold: ${count(findings.length, 'finding')}.`);
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
