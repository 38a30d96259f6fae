import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { z } from 'zod';
import { allProcesses, signalExactly } from '../processes/process-table';
import { fixture, refuses } from './host-world';

const lineSchema = z.looseObject({ hostPid: z.number().optional() });

export interface OwnerOptions {
  readonly folder: string;
  readonly calls: readonly { readonly tool: string; readonly args: object; readonly deadlineMs: number }[];
  readonly renewMs?: number;
  readonly ttlMs?: number;
}

/** Something that owns a tool host as an executor does, in a process of its own, so that it can be killed. */
export class Owner {
  readonly lines: z.infer<typeof lineSchema>[] = [];
  readonly processSocket: string;
  readonly hostSocket: string;
  private readonly child: ChildProcess;

  constructor(options: OwnerOptions) {
    this.processSocket = join(options.folder, 'p.sock');
    this.hostSocket = join(options.folder, 'h.sock');
    const { renewMs = 200, ttlMs = 60_000, calls } = options;
    const { processSocket, hostSocket } = this;
    const told = {
      modules: [fixture('hanging.mjs')],
      slots: 8,
      processSocket,
      hostSocket,
      renewMs,
      ttlMs,
      calls,
    };
    this.child = spawn(process.execPath, [fixture('owner.cjs'), JSON.stringify(told)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (this.child.stdout) {
      createInterface(this.child.stdout).on('line', (line) =>
        this.lines.push(lineSchema.parse(JSON.parse(line))),
      );
    }
  }

  get hostPid(): number | undefined {
    return this.lines.find(({ hostPid }) => hostPid !== undefined)?.hostPid;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** What an observer on this host asks: do both sockets refuse? */
  async gone(): Promise<boolean> {
    const answers = await Promise.all([refuses(this.processSocket), refuses(this.hostSocket)]);
    return answers.every((refused) => refused);
  }

  /** Leaves nobody behind, whatever the spec has done. */
  end(): void {
    this.child.kill('SIGKILL');
    const session = this.hostPid;
    if (session === undefined) return;
    for (const entry of allProcesses()) if (entry.session === session) signalExactly(entry, 'SIGKILL');
  }
}
