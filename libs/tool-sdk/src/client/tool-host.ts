import type {
  CheckAnswer,
  KillReason,
  Log,
  ReadbackAnswer,
  RunResult,
  ToolRequest,
  ToolRun,
  ToolRunner,
} from '@writ/runtime';
import type { BuiltinOptions } from '../builtin';
import type { LoadedTool } from '../definition/judge';
import { describedSchema, judgeTools } from '../definition/judge';
import { limits } from '../limits';
import { unknownBecause } from '../process/answer';
import type { Mode } from '../process/request';
import { jsonPayload } from '../wire/fields';
import type { Frame } from '../wire/frames';
import { fromHost, toHost } from '../wire/kinds';
import type { CallEnd } from './calls';
import { OpenCalls } from './calls';
import { toolEnvironment } from './environment';
import { HostProcess } from './host-process';
import { checkSchema, logSchema, parsePayload, ranSchema, readbackSchema } from './messages';
import { SignsOfLife } from './signs-of-life';

export interface ToolHostOptions {
  /** Absolute paths of ES or CommonJS modules. */
  readonly modules: readonly string[];
  readonly builtin?: BuiltinOptions | undefined;
  /** Calls with an effect that may run at a time. */
  readonly slots: number;
  /** Where the host listens: the instance's second socket. Under 100 bytes. */
  readonly socketPath: string;
  /** The executor's environment; what tools may not see is taken out here. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** Where an executor's tools run. Nothing starts before the first `extend`. */
export interface ToolHost extends ToolRunner {
  readonly tools: readonly LoadedTool[];
  readonly pid: number;
  /** Kills every tool process and the host; returns once none lives. */
  stop(): Promise<void>;
  /** The host has died unasked; all its processes are gone by now, and the executor must stop hard (R10). */
  onDied(listener: () => void): void;
}

export type ToolHostStart =
  | { readonly ok: true; readonly host: ToolHost }
  | { readonly ok: false; readonly problems: readonly string[] };

export async function startToolHost(options: ToolHostOptions): Promise<ToolHostStart> {
  const bytes = Buffer.byteLength(options.socketPath);
  if (bytes > limits.socketPathBytes) {
    const problem = `socket path of ${bytes} bytes, allowed are ${limits.socketPathBytes}: ${options.socketPath}`;
    return { ok: false, problems: [problem] };
  }
  const host = new RunningHost(options);
  const problems = await host.ready();
  if (problems.length === 0) return { ok: true, host };
  await host.stop();
  return { ok: false, problems };
}

class RunningHost implements ToolHost {
  tools: readonly LoadedTool[] = [];
  private readonly host: HostProcess;
  private readonly calls = new OpenCalls();
  private readonly sweeps = new Map<number, () => void>();
  private readonly died: (() => void)[] = [];
  private described: (payload: Buffer | undefined) => void = () => {};
  private gone = false;
  private stopping = false;
  /** A host that does not answer is frozen, and deadlines with it: it is ended as if it had died. */
  private readonly signs = new SignsOfLife(limits.hostSilentMs, () => {
    this.options.log.error('tool_host_silent', { pid: this.pid });
    void this.host.end();
  });

  constructor(private readonly options: ToolHostOptions) {
    this.host = new HostProcess(toolEnvironment(options.env), {
      onFrame: (frame) => this.receive(frame),
      onErrorLine: (line) => options.log.error('tool_host_error', { pid: this.pid, message: line }),
      onGone: () => this.lose(),
    });
  }

  get pid(): number {
    return this.host.pid;
  }

  /** The problems of what was loaded; none if it can be used. */
  async ready(): Promise<readonly string[]> {
    const { modules, builtin, slots, socketPath } = this.options;
    const timer = setTimeout(() => this.described(undefined), limits.importMs + limits.hostStartMs);
    const payload = await new Promise<Buffer | undefined>((resolve) => {
      this.described = resolve;
      this.host.send(toHost.init, 0, { payload: jsonPayload({ modules, builtin, slots, socketPath }) });
    });
    clearTimeout(timer);
    if (payload === undefined) return ['the tool host did not start'];
    const judged = judgeTools(parsePayload(describedSchema, payload));
    if (!judged.ok) return judged.problems;
    this.tools = judged.tools;
    return [];
  }

  run(request: ToolRequest): ToolRun {
    const tool = this.tools.find(({ name }) => name === request.tool);
    if (tool === undefined) {
      const result: RunResult = {
        status: 'threw',
        notApplied: true,
        message: `no tool ${request.tool} here`,
      };
      return { result: Promise.resolve(result), kill: () => {} };
    }
    const shared = tool.effectClass === 'read';
    const { id, end } = this.begin('run', request, { shared, deadlineMs: request.deadlineMs });
    return {
      result: end.then(runResultFrom),
      kill: (reason) => this.host.send(toHost.kill, id, { payload: Buffer.from(reason, 'utf8') }),
    };
  }

  async check(request: ToolRequest): Promise<CheckAnswer> {
    const tool = this.tools.find(({ name }) => name === request.tool);
    if (tool?.hasCheck !== true) return { ok: true };
    const end = await this.begin('check', request, {
      shared: true,
      deadlineMs: Math.min(request.deadlineMs, limits.checkMs),
    }).end;
    if (end.ended === 'answered') return parsePayload(checkSchema, end.answer);
    if (end.reason === 'deadline' || (end.reason === 'crashed' && !end.neverStarted)) {
      return { ok: false, refuse: `the check of the tool did not answer: ${end.reason}` };
    }
    return { ok: false, refuse: `the check of the tool was not asked: ${end.reason}`, notNow: true };
  }

  async readback(request: ToolRequest): Promise<ReadbackAnswer> {
    const tool = this.tools.find(({ name }) => name === request.tool);
    if (tool?.hasReadback !== true) return unknownBecause('the tool has no readback');
    const end = await this.begin('readback', request, {
      shared: true,
      deadlineMs: Math.min(request.deadlineMs, limits.readbackMs),
    }).end;
    if (end.ended === 'answered') return parsePayload(readbackSchema, end.answer);
    const unknown = unknownBecause(`the readback did not answer: ${end.reason}`);
    return end.reason === 'deadline' ? unknown : { ...unknown, unanswered: true };
  }

  extend(aliveUntilMonotonicMs: number): void {
    if (this.gone) return;
    this.host.send(toHost.alive, this.signs.ask(), { number: aliveUntilMonotonicMs });
  }

  rest(): void {
    this.host.send(toHost.rest, 0);
  }

  killAll(reason: KillReason): Promise<void> {
    if (this.gone) return Promise.resolve();
    const id = this.signs.ask();
    return new Promise((resolve) => {
      this.sweeps.set(id, resolve);
      this.host.send(toHost.killAll, id, { payload: Buffer.from(reason, 'utf8') });
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.host.end();
  }

  onDied(listener: () => void): void {
    this.died.push(listener);
  }

  private begin(
    mode: Mode,
    request: ToolRequest,
    { shared, deadlineMs }: { readonly shared: boolean; readonly deadlineMs: number },
  ): { readonly id: number; readonly end: Promise<CallEnd> } {
    const { callId, tool, args, idempotencyKey, epoch } = request;
    if (this.gone)
      return { id: 0, end: Promise.resolve({ ended: 'killed', reason: 'stop', neverStarted: true }) };
    const call = this.calls.add(callId);
    const payload = jsonPayload({ mode, callId, tool, args, idempotencyKey, epoch });
    this.host.send(shared ? toHost.startShared : toHost.startAlone, call.id, { number: deadlineMs, payload });
    return call;
  }

  private receive(frame: Frame): void {
    this.calls.receive(frame);
    if (frame.kind === fromHost.here) this.signs.heard(frame.call);
    if (frame.kind === fromHost.ready) this.described(frame.payload);
    if (frame.kind === fromHost.allKilled) {
      this.sweeps.get(frame.call)?.();
      this.sweeps.delete(frame.call);
    }
    if (frame.kind === fromHost.log) this.logLine(frame);
  }

  private logLine({ call, payload }: Frame): void {
    const { level, event, fields } = parsePayload(logSchema, payload);
    const callId = this.calls.callIdOf(call);
    if (level !== 'debug')
      this.options.log[level](event, callId === undefined ? fields : { ...fields, callId });
  }

  private lose(): void {
    this.gone = true;
    this.signs.stop();
    this.described(undefined);
    this.calls.lose();
    for (const done of this.sweeps.values()) done();
    this.sweeps.clear();
    if (!this.stopping) for (const listener of this.died) listener();
  }
}

function runResultFrom(end: CallEnd): RunResult {
  if (end.ended === 'answered') return parsePayload(ranSchema, end.answer);
  return { status: 'killed', reason: end.reason, ...(end.neverStarted ? { neverStarted: true } : {}) };
}
