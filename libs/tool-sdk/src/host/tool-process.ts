import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { endFamily } from '../processes/family';
import { readProcess } from '../processes/process-table';
import { limits } from '../limits';
import { Channel } from '../wire/channel';
import type { Frame } from '../wire/frames';
import { fromTool, toTool } from '../wire/kinds';
import { readLines } from './output';

export interface ToolProcessOptions {
  /** What to load, as the process will read it. */
  readonly init: Buffer;
  /** Ask the kernel to kill it when the host dies (setpriv of util-linux). */
  readonly deathSignal: boolean;
  /** Descriptor of the host's listening socket, see `heldDescriptor`. */
  readonly listening: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly events: ToolProcessEvents;
}

export interface ToolProcessEvents {
  /** Whether what it has loaded is what its calls were meant for. */
  accepts(described: Buffer): boolean;
  onReady(process: ToolProcess): void;
  onBegun(process: ToolProcess, call: number): void;
  onSettled(process: ToolProcess, frame: Frame): void;
  onLog(process: ToolProcess, frame: Frame): void;
  onOutput(process: ToolProcess, line: string): void;
  /** It has ended without having been told to, or could not be started; what it started may still live. */
  onLost(process: ToolProcess, why: string): void;
}

/**
 * Where tool processes, and what they start, hold the host's listening socket open. As long as one of them lives the
 * kernel accepts on that socket, even if host and executor are both killed at one moment: an observer is refused
 * only when all have ended. High enough that Node, which closes on exec what it finds low, leaves it to grandchildren.
 */
export const heldDescriptor = 40;

const entry = join(__dirname, '..', 'process', 'main.js');

/** One process in which tools run: started, spoken to, and ended with all that it started. */
export class ToolProcess {
  state: 'starting' | 'ready' | 'ending' = 'starting';
  /** Numbers of the calls that it was handed and that have not settled. */
  readonly calls = new Set<number>();
  /** It has not begun a call that it was handed beside others: no more for it until it says something. */
  stalled = false;
  readonly pid: number;
  private readonly startTime: string;
  private readonly mark = `WRIT_TOOL_PROCESS=${randomBytes(12).toString('hex')}`;
  private readonly child: ChildProcess;
  private readonly channel: Channel | undefined;
  private readonly startTimer: NodeJS.Timeout;
  private readonly exited: Promise<void>;
  private importing = '';
  private ending: Promise<void> | undefined;

  constructor(private readonly options: ToolProcessOptions) {
    const node = [process.execPath, entry, String(process.pid)];
    const [command = '', ...args] = options.deathSignal
      ? ['setpriv', '--pdeathsig', 'KILL', '--', ...node]
      : node;
    const [name = '', token = ''] = this.mark.split('=');
    this.child = spawn(command, args, {
      env: { ...options.env, [name]: token },
      stdio: stdio(options.listening),
    });
    this.pid = this.child.pid ?? 0;
    this.startTime = readProcess(this.pid)?.startTime ?? '';
    const { channel, closed } = this.openChannel();
    this.channel = channel;
    this.exited = new Promise((resolve) => {
      this.child.on('exit', () => void Promise.race([closed, after(limits.lastWordsMs)]).then(resolve));
      this.child.on('error', () => resolve());
    });
    void this.exited.then(() => this.lost('it ended'));
    this.startTimer = setTimeout(() => this.tooLate(), limits.importMs);
    channel?.send({ kind: toTool.init, call: 0, number: 0, payload: options.init });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (stream) readLines(stream, (line) => options.events.onOutput(this, line));
    }
  }

  run(call: number, payload: Buffer, options: { readonly sayBegun: boolean }): void {
    this.calls.add(call);
    this.channel?.send({ kind: toTool.run, call, number: options.sayBegun ? 1 : 0, payload });
  }

  abort(call: number): void {
    this.channel?.send({ kind: toTool.abort, call, number: 0 });
  }

  /** Kills it and all that it started; returns once nothing of it lives and its last words have been heard. */
  end(): Promise<void> {
    this.state = 'ending';
    clearTimeout(this.startTimer);
    this.ending ??= this.endAll();
    return this.ending;
  }

  private async endAll(): Promise<void> {
    const { pid, startTime, mark } = this;
    if (pid !== 0) await endFamily({ pid, startTime, mark, session: process.pid });
    await this.exited;
    this.channel?.close();
  }

  private openChannel(): { readonly channel: Channel | undefined; readonly closed: Promise<void> } {
    const socket = this.child.stdio[3];
    if (!(socket instanceof Socket)) return { channel: undefined, closed: Promise.resolve() };
    let onEnd = (): void => {};
    const closed = new Promise<void>((resolve) => (onEnd = resolve));
    return { channel: new Channel(socket, { onFrame: (frame) => this.receive(frame), onEnd }), closed };
  }

  private receive(frame: Frame): void {
    const { events } = this.options;
    this.stalled = false;
    if (frame.kind === fromTool.importing) this.importing = frame.payload.toString('utf8');
    if (frame.kind === fromTool.begun) events.onBegun(this, frame.call);
    if (frame.kind === fromTool.settled) events.onSettled(this, frame);
    if (frame.kind === fromTool.log) events.onLog(this, frame);
    if (frame.kind === fromTool.ready && this.state === 'starting') {
      if (!events.accepts(frame.payload)) return this.lost('it loaded other tools than the first process');
      clearTimeout(this.startTimer);
      this.state = 'ready';
      events.onReady(this);
    }
  }

  private lost(why: string): void {
    if (this.state === 'ending') return;
    clearTimeout(this.startTimer);
    const at =
      this.state === 'starting' && this.importing !== '' ? ` while ${this.importing} was imported` : '';
    this.options.events.onLost(this, `${why}${at}`);
  }

  private tooLate(): void {
    this.lost(`nothing came of it in ${limits.importMs} ms`);
  }
}

function stdio(listening: number | undefined): ('ignore' | 'pipe' | number)[] {
  const base: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'pipe', 'pipe'];
  if (listening === undefined) return base;
  const gap = Array.from({ length: heldDescriptor - base.length }, () => 'ignore' as const);
  return [...base, ...gap, listening];
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
