import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { endSession } from '../processes/session';
import { readLines } from '../host/output';
import { Channel } from '../wire/channel';
import type { Frame } from '../wire/frames';

export interface HostProcessEvents {
  onFrame(frame: Frame): void;
  onErrorLine(line: string): void;
  /** The host is gone and so is everybody in its group. */
  onGone(): void;
}

/** Whether this file runs from source (tests) or built: the processes are always the built ones. */
const entry = join(__dirname.replace(/([/\\])src([/\\]client)$/, '$1dist$2'), '..', 'host', 'main.js');

/** The tool host as its executor sees it: a child that leads its own session, and the pipe that is its life line. */
export class HostProcess {
  readonly pid: number;
  private readonly child: ChildProcess;
  private readonly channel: Channel | undefined;
  private ended: Promise<void> | undefined;

  constructor(
    env: NodeJS.ProcessEnv,
    private readonly events: HostProcessEvents,
  ) {
    this.child = spawn(process.execPath, [entry], {
      detached: true,
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.pid = this.child.pid ?? 0;
    this.child.on('exit', () => void this.end());
    this.child.on('error', () => void this.end());
    if (this.child.stderr) readLines(this.child.stderr, (line) => events.onErrorLine(line));
    const socket = this.child.stdio[3];
    if (socket instanceof Socket) {
      const onFrame = (frame: Frame): void => events.onFrame(frame);
      this.channel = new Channel(socket, { onFrame, onEnd: () => void this.end() });
    }
  }

  send(kind: number, call: number, rest: { readonly number?: number; readonly payload?: Buffer } = {}): void {
    this.channel?.send({
      kind,
      call,
      number: rest.number ?? 0,
      ...(rest.payload ? { payload: rest.payload } : {}),
    });
  }

  /** Kills the host with its whole group; returns once nobody of it lives. */
  end(): Promise<void> {
    this.ended ??= this.endAll();
    return this.ended;
  }

  private async endAll(): Promise<void> {
    if (this.pid !== 0) await endSession(this.pid);
    this.channel?.close();
    this.events.onGone();
  }
}
