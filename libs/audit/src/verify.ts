import {
  streamPrefixes,
  type AuditFinding,
  type AuditReport,
  type AuditRule,
  type WritEvent,
} from '@writ/contracts';
import {
  checkA8,
  emptyTranscript,
  foldTranscript,
  historyRules,
  listA9,
  toAnthropic,
  toOpenai,
  type RenderedSession,
  type RuleReport,
} from '@writ/protocol';
import type { EventStore } from '@writ/runtime';
import { readHistory, type HistoryOptions, type ReadHistory } from './read-history';
import type { Unavailable } from './read-streams';

export type Verification =
  | { readonly outcome: 'verified'; readonly report: AuditReport }
  /** There is no such session. */
  | { readonly outcome: 'not_found' }
  | Unavailable;

/** Proves the record, or says where it cannot (protocol 8). Reads alone; the order of findings is that of the rules. */
export async function verify(store: EventStore, options: HistoryOptions = {}): Promise<Verification> {
  const history = await readHistory(store, options);
  return history.outcome === 'history' ? { outcome: 'verified', report: judge(history) } : history;
}

function judge({ events, chain, throughPosition }: ReadHistory): AuditReport {
  const a9 = listA9(events);
  const reports: [AuditRule, RuleReport][] = [
    ['A1', historyRules.A1(events)],
    ['A2', historyRules.A2(events)],
    ['A3', historyRules.A3(events)],
    ['A4', historyRules.A4(events)],
    ['A5', historyRules.A5(events)],
    ['A6', historyRules.A6(events)],
    ['A7', historyRules.A7(events)],
    ['A8', checkA8(events, renderedSessions(events))],
    ['A9', a9],
    ['A10', chain],
  ];
  const findings = reports.flatMap(([, report]) => report.findings).map(asPlain);
  return {
    ok: findings.length === 0,
    throughPosition,
    counts: {
      sessions: events.filter(({ type }) => type === 'SessionOpened').length,
      calls: events.filter(({ type }) => type === 'ToolCallStaged').length,
      events: chain.checked,
    },
    rules: Object.fromEntries(
      reports.map(([rule, report]) => [rule, { checked: report.checked, findings: report.findings.length }]),
    ),
    findings,
    calls: a9.calls.map((call) => ({ ...call })),
  };
}

const asPlain = ({ rule, message, events }: RuleReport['findings'][number]): AuditFinding => ({
  rule,
  message,
  events: events.map((event) => ({ ...event })),
});

/** Every session as the renderers would show it, for the rule that knows nothing of renderers. */
function renderedSessions(events: readonly WritEvent[]): RenderedSession[] {
  const bySession = new Map<string, WritEvent[]>();
  const sessionOf = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'ToolCallStaged') sessionOf.set(event.data.callId, event.stream);
    const stream = event.stream.startsWith(streamPrefixes.session)
      ? event.stream
      : sessionOf.get(event.stream.slice(streamPrefixes.call.length));
    if (stream === undefined) continue;
    const known = bySession.get(stream);
    if (known) known.push(event);
    else bySession.set(stream, [event]);
  }
  return [...bySession].map(([stream, own]) => {
    const state = own.reduce(foldTranscript, emptyTranscript());
    const sessionId = stream.slice(streamPrefixes.session.length);
    return { sessionId, openai: toOpenai(state), anthropic: toAnthropic(state) };
  });
}
