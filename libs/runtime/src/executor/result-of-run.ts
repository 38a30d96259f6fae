import type { ContentPart, Effect, Outcome, PublishedTool, Readback } from '@writ/contracts';
import { effectIfNeverBegun, type RunningCall } from '@writ/protocol';
import { digestOf } from '../digest';
import type { ReadbackAnswer, RunResult } from '../ports';
import { fitContent } from './fit-content';

export interface ResultDraft {
  readonly outcome: Outcome;
  readonly effect: Effect;
  readonly code?: string;
  readonly content: ContentPart[];
  readonly readback?: Readback;
}

/** A result with the digest that messages name it by. */
export function sealResult(draft: ResultDraft): ResultDraft & { readonly digest: string } {
  const { outcome, effect, code, content, readback } = draft;
  return { ...draft, digest: digestOf({ outcome, effect, code, content, readback }) };
}

/** Whether what a run said leaves its effect open, so that the tool's readback is asked before the commit (R8). */
export function effectIsOpen(result: RunResult, tool: PublishedTool): boolean {
  if (tool.effectClass === 'read') return false;
  return (result.status === 'killed' || result.status === 'threw') && !neverBegan(result);
}

/** R8 and the table of outcomes and effects (protocol 2): a readback changes the effect, never the outcome. */
export function resultOfRun(result: RunResult, { tool, call, readback }: Ran): ResultDraft {
  const reads = tool.effectClass === 'read';
  if (result.status === 'returned') {
    return { outcome: 'succeeded', effect: reads ? 'none' : 'applied', content: fitContent(result.content) };
  }
  const known =
    readback === undefined ? {} : { readback: { effect: readback.effect, evidence: readback.evidence } };
  return { ...endOf(result), effect: reads ? 'none' : effectOf(result, { tool, call, readback }), ...known };
}

/** The tool says so itself, or its code never began. */
const neverBegan = (result: RunResult): boolean =>
  (result.status === 'threw' && result.notApplied) ||
  (result.status === 'killed' && result.neverStarted === true);

interface Ran {
  readonly tool: PublishedTool;
  readonly call: RunningCall;
  readonly readback?: ReadbackAnswer | undefined;
}

/** Where an earlier holder was only silent and no fence stops it, nothing that is seen now says that it will not act (protocol 9). */
function effectOf(result: RunResult, { tool, call, readback }: Ran): Effect {
  const none = call.silentRun && !tool.fenced ? 'unknown' : 'none';
  if (result.status === 'threw' && result.notApplied) return none;
  if (neverBegan(result)) return effectIfNeverBegun(call);
  if (readback === undefined || readback.effect === 'unknown') return 'unknown';
  return readback.effect === 'applied' ? 'applied' : none;
}

function endOf(
  result: Exclude<RunResult, { status: 'returned' }>,
): Pick<ResultDraft, 'outcome' | 'code' | 'content'> {
  if (result.status === 'threw') {
    const code = result.code ?? (result.notApplied ? 'not_applied' : 'tool_error');
    return { outcome: 'failed', code, content: fitContent([{ type: 'text', text: result.message }]) };
  }
  switch (result.reason) {
    case 'deadline':
      return said('timed_out', 'deadline', 'The tool did not end by its deadline and was stopped.');
    case 'round_deadline':
      return said('timed_out', 'round_deadline', 'The round ran out of time; the tool was stopped.');
    case 'crashed':
      return said('failed', 'tool_crashed', 'The process of the tool ended before the tool did.');
    case 'interrupt':
      return said('interrupted', 'interrupt', 'The turn was interrupted; the tool was stopped.');
    case 'stop':
    case 'watchdog':
      return said(
        'interrupted',
        'executor_stopped',
        'The executor had to stop; the tool was stopped with it.',
      );
  }
}

function said(
  outcome: Outcome,
  code: string,
  text: string,
): Pick<ResultDraft, 'outcome' | 'code' | 'content'> {
  return { outcome, code, content: [{ type: 'text', text }] };
}
