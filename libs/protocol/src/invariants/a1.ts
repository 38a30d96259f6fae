import type { EventData, WritEvent } from '@writ/contracts';
import { callsOf, finding, isBefore, isType, type Finding, type History, type RuleReport } from './history';

/** A1: every start names a staged call at a smaller log position, with the same digest and a verdict that allows it. */
export function checkA1(history: History): RuleReport {
  const pairs = callsOf(history).flatMap((call) =>
    call.events.filter(isType('ToolExecutionStarted')).map((start) => ({ start, staged: call.staged })),
  );
  return { checked: pairs.length, findings: pairs.flatMap(({ start, staged }) => checkStart(start, staged)) };
}

function checkStart(
  start: WritEvent<'ToolExecutionStarted'>,
  candidates: readonly WritEvent<'ToolCallStaged'>[],
): Finding[] {
  const { callId, sessionId, stagedRevision } = start.data;
  const staged = candidates.find(
    (event) => event.stream === `session-${sessionId}` && event.revision === stagedRevision,
  );
  const broken = (message: string): Finding[] => [
    finding('A1', `call ${callId} ${message}`, [start, staged]),
  ];
  if (!staged) return broken('was started, and what its start names does not stage it');
  if (!isBefore(staged, start)) return broken('was started before it was staged');
  if (start.stream !== `toolcall-${callId}`) return broken('was started in the stream of another call');
  if (staged.data.verdict === 'refused') return broken('was started although it was refused');
  const differs = agreed.filter((field) => start.data[field] !== staged.data[field]);
  return differs.length > 0
    ? broken(`was started with another ${differs.join(', ')} than it was staged with`)
    : [];
}

/** What a start must have in common with its staged call. */
const agreed = [
  'argsDigest',
  'definitionDigest',
  'pool',
  'idempotencyKey',
] as const satisfies readonly (keyof EventData<'ToolExecutionStarted'> & keyof EventData<'ToolCallStaged'>)[];
