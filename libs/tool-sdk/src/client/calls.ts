import type { Frame } from '../wire/frames';
import type { EndReason } from '../wire/kinds';
import { endReasonFrom, fromHost } from '../wire/kinds';
import { limits } from '../limits';

/** How the host says a call has ended; `answer` is unread. */
export type CallEnd =
  | { readonly ended: 'answered'; readonly answer: Buffer }
  | { readonly ended: 'killed'; readonly reason: EndReason; readonly neverStarted: boolean };

interface Open {
  settle(end: CallEnd): void;
  guard: NodeJS.Timeout;
}

/** The executor's calls that its host has not ended yet. */
export class OpenCalls {
  private readonly open = new Map<number, Open>();
  private last = 0;

  /** `onLate`: the host has let a deadline pass by far; it is frozen or mad. */
  constructor(private readonly onLate: () => void) {}

  add(deadlineMs: number): { readonly id: number; readonly end: Promise<CallEnd> } {
    this.last = (this.last % 0xffff_ffff) + 1;
    const id = this.last;
    let settle: Open['settle'] = () => {};
    const end = new Promise<CallEnd>((resolve) => (settle = resolve));
    this.open.set(id, { settle, guard: this.guard(id, deadlineMs + limits.placeMs * limits.sharedTries) });
    return { id, end };
  }

  receive(frame: Frame): void {
    if (frame.kind === fromHost.settled)
      this.settle(frame.call, { ended: 'answered', answer: frame.payload });
    if (frame.kind === fromHost.killed) {
      const neverStarted = frame.number === 1;
      this.settle(frame.call, { ended: 'killed', reason: endReasonFrom(frame.payload), neverStarted });
    }
  }

  /** The host is gone with all its processes; what had not begun cannot be told from what had. */
  lose(): void {
    for (const id of [...this.open.keys()]) {
      this.settle(id, { ended: 'killed', reason: 'crashed', neverStarted: false });
    }
  }

  private settle(id: number, end: CallEnd): void {
    const call = this.open.get(id);
    if (call === undefined) return;
    this.open.delete(id);
    clearTimeout(call.guard);
    call.settle(end);
  }

  /** Twice in a row: after a freeze of this process the first is overdue though the answer waits in the pipe. */
  private guard(id: number, ms: number): NodeJS.Timeout {
    return setTimeout(
      () => {
        const call = this.open.get(id);
        if (call) call.guard = setTimeout(this.onLate, limits.hostLateMs / 2);
      },
      ms + limits.hostLateMs / 2,
    );
  }
}
