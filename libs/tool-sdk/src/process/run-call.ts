import type { ToolContext, ToolLog } from '../definition/tool';
import { limits } from '../limits';
import { jsonPayload } from '../wire/fields';
import { settledAs } from '../wire/kinds';
import { cutText } from '../wire/text';
import { checkFrom, messageFrom, ranFrom, readbackFrom, threwFrom, unknownBecause } from './answer';
import { requestFrom } from './request';

export interface CallIo {
  readonly tools: ReadonlyMap<string, object>;
  readonly signal: AbortSignal;
  log(level: string, message: string): void;
}

export interface Answered {
  readonly payload: Buffer;
  /** See `settledAs`. */
  readonly status: number;
}

type Answer = ReturnType<typeof ranFrom> | ReturnType<typeof checkFrom> | ReturnType<typeof readbackFrom>;

/** One call of a tool's function, to its answer; never throws for what a tool does. */
export async function runCall(payload: Buffer, io: CallIo): Promise<Answered> {
  const answer = await answerTo(payload, io);
  const bytes = jsonPayload(answer);
  if (bytes.length <= limits.resultBytes) return { payload: bytes, status: statusOf(answer) };
  const replaced = tooLarge(answer, bytes.length);
  return { payload: jsonPayload(replaced), status: statusOf(replaced) };
}

function statusOf(answer: Answer): number {
  // A result that cannot travel is no answer to an abort: the tool did return.
  if (!('status' in answer) || answer.status === 'returned' || answer.code !== undefined)
    return settledAs.answered;
  return answer.notApplied ? settledAs.notApplied : settledAs.threw;
}

async function answerTo(payload: Buffer, io: CallIo): Promise<Answer> {
  const request = requestFrom(payload);
  const tool = io.tools.get(request.tool);
  const call: unknown = tool === undefined ? undefined : Reflect.get(tool, request.mode);
  if (typeof call !== 'function') {
    return {
      status: 'threw',
      notApplied: true,
      message: `this process has no ${request.mode} of ${request.tool}`,
    };
  }
  const context: ToolContext = {
    callId: request.callId,
    idempotencyKey: request.idempotencyKey,
    epoch: request.epoch,
    signal: io.signal,
    log: toolLog(io.log),
  };
  try {
    const value: unknown = await Reflect.apply(call, tool, [request.args, context]);
    if (request.mode === 'run') return ranFrom(value);
    return request.mode === 'check' ? checkFrom(value) : readbackFrom(value);
  } catch (error) {
    if (request.mode === 'run') return threwFrom(error);
    const why = `the ${request.mode} of the tool failed: ${messageFrom(error)}`;
    return request.mode === 'check' ? { ok: false, refuse: why } : unknownBecause(why);
  }
}

function tooLarge(answer: Answer, bytes: number): Answer {
  const why = `${bytes} bytes as JSON, allowed are ${limits.resultBytes}`;
  if ('effect' in answer) return { effect: answer.effect, evidence: { why: `left out: ${why}` } };
  return {
    status: 'threw',
    notApplied: false,
    code: 'result_too_large',
    message: `result_too_large: ${why}`,
  };
}

function toolLog(write: CallIo['log']): ToolLog {
  const at =
    (level: string) =>
    (message: unknown): void =>
      write(level, cutText(String(message), limits.lineChars));
  return Object.assign(at('info'), {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  });
}
