import { spawnSync } from 'node:child_process';

/** The command line of strace up to the program that it runs. Throws where strace is missing. */
export function strace(...options: string[]): string[] {
  if (spawnSync('strace', ['-V']).error !== undefined) {
    throw new Error('strace is missing, and with it the proof: install it, e.g. apt-get install strace');
  }
  return ['strace', '-f', '-qq', '--seccomp-bpf', ...options];
}

/** One system call of a trace. `entered` and `returned` are line numbers, an order of everything that happened. */
export interface Syscall {
  name: string;
  fd: number;
  /** What it was to write; empty for others. */
  bytes: Buffer;
  entered: number;
  /** Infinity if the trace ends before it returned. */
  returned: number;
  /** -1 for a failure. */
  result: number;
}

const ENTRY = /^(\d+) +(\w+)\((\d+)(.*)$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/;
const RESULT = /\) += (-?\d+)/;
const STRING = /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/g;

/**
 * Reads what `strace -f -xx -o` wrote. strace prints a call when it is entered and again when it returned
 * (`<unfinished ...>`, `resumed`) if anything happened between the two, so the lines are in the order of events.
 */
export function parseTrace(text: string): Syscall[] {
  const calls: Syscall[] = [];
  const open = new Map<string, Syscall>();
  for (const [line, content] of text.split('\n').entries()) {
    const resumed = RESUMED.exec(content);
    if (resumed !== null) {
      const key = `${resumed[1]} ${resumed[2]}`;
      const call = open.get(key);
      open.delete(key);
      if (call !== undefined) finish(call, resumed[3] ?? '', line);
      continue;
    }
    const [, thread, name = '', fd, rest = ''] = ENTRY.exec(content) ?? [];
    if (fd === undefined) continue;
    const bytes = writtenBytes(rest);
    const call = { name, fd: Number(fd), bytes, entered: line, returned: Infinity, result: -1 };
    calls.push(call);
    if (rest.endsWith('<unfinished ...>')) open.set(`${thread} ${name}`, call);
    else finish(call, rest, line);
  }
  return calls;
}

function finish(call: Syscall, rest: string, line: number): void {
  call.returned = line;
  call.result = Number(RESULT.exec(rest)?.[1] ?? -1);
}

function writtenBytes(args: string): Buffer {
  const parts: Buffer[] = [];
  for (const [, hex = '', cut] of args.matchAll(STRING)) {
    if (cut !== undefined) throw new Error('strace cut a buffer short: raise its -s');
    parts.push(Buffer.from(hex.replaceAll('\\x', ''), 'hex'));
  }
  return Buffer.concat(parts);
}
