import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Guardian } from '../guardian';
import { stackLimits } from '../limits';
import type { ProcessPlan, Variables } from '../plan';

export interface Exit {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Watchers {
  readonly onLine: (name: string, line: string) => void;
  readonly onExit: (name: string, exit: Exit) => void;
}

/**
 * One process of the stack over all its lives. In a session of its own, so that Ctrl-C reaches the stack alone, which
 * then stops services before what they need; the guardian ends it should the stack itself be killed.
 */
export class Supervised {
  private child: ChildProcess | undefined;
  private exited: Promise<Exit> | undefined;
  private readonly lines: string[] = [];
  private readonly log: WriteStream;

  constructor(
    readonly plan: ProcessPlan,
    private readonly surroundings: {
      readonly logFile: string;
      readonly guardian: Guardian;
      readonly watchers: Watchers;
    },
  ) {
    this.log = createWriteStream(surroundings.logFile, { flags: 'a' });
    this.log.on('error', () => undefined);
  }

  get name(): string {
    return this.plan.name;
  }

  /** The pid of its current or last life; undefined before the first one. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  get isAlive(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Lines of stdout and stderr, all lives together, the oldest cut off at a bound. */
  get output(): readonly string[] {
    return this.lines;
  }

  /** Begins a life. Resolves with the pid once the program runs; undefined: it cannot be started at all. */
  async start(changes: Variables = {}): Promise<number | undefined> {
    const { command, args, env } = this.plan;
    const child = spawn(command, args, {
      env: { ...env, ...changes },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.child = child;
    this.exited = new Promise((resolve) => {
      child.once('error', () => resolve({ pid: 0, code: 1, signal: null }));
      child.once('exit', (code, signal) => resolve({ pid: child.pid ?? 0, code, signal }));
    });
    this.read(child.stdout);
    this.read(child.stderr);
    if (child.pid === undefined) {
      await this.exited;
      return undefined;
    }
    const { pid } = child;
    this.surroundings.guardian.watch(pid);
    void this.exited.then((exit) => {
      this.surroundings.guardian.release(pid);
      this.surroundings.watchers.onExit(this.name, exit);
    });
    return pid;
  }

  /** False where there is nobody to signal. */
  signal(signal: NodeJS.Signals): boolean {
    return this.isAlive && this.child?.kill(signal) === true;
  }

  /** The end of the current life. */
  waitForExit(): Promise<Exit> {
    return this.exited ?? Promise.resolve({ pid: 0, code: null, signal: null });
  }

  close(): void {
    this.log.end();
  }

  private read(stream: Readable): void {
    createInterface({ input: stream }).on('line', (line) => {
      this.lines.push(line);
      if (this.lines.length > stackLimits.keptLines) this.lines.shift();
      this.log.write(`${line}\n`);
      this.surroundings.watchers.onLine(this.name, line);
    });
  }
}
