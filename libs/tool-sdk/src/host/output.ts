import type { Readable } from 'node:stream';
import { limits } from '../limits';
import { cutText } from '../wire/text';

/** Lets a burst through and then so many lines a second; counts what it holds back. */
export class LineGate {
  private allowance: number = limits.lineBurst;
  private last = 0;
  private dropped = 0;

  /** The number of lines dropped before this one, or `undefined` if this one is dropped as well. */
  pass(nowMs: number): number | undefined {
    const earned = ((nowMs - this.last) / 1000) * limits.linesPerSecond;
    this.allowance = Math.min(limits.lineBurst, this.allowance + Math.max(0, earned));
    this.last = nowMs;
    if (this.allowance < 1) {
      this.dropped += 1;
      return undefined;
    }
    this.allowance -= 1;
    const dropped = this.dropped;
    this.dropped = 0;
    return dropped;
  }
}

/** Reads a stream to its end, whatever comes, and gives its lines, cut in length. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let held = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (held + chunk).split('\n');
    // What exceeds a line's length is dropped here, so that a stream without line ends holds no memory.
    held = (lines.pop() ?? '').slice(0, limits.lineChars + 1);
    for (const line of lines) if (line.trim() !== '') onLine(cutText(line, limits.lineChars));
  });
  stream.on('end', () => {
    if (held.trim() !== '') onLine(cutText(held, limits.lineChars));
  });
  stream.on('error', () => {});
}
