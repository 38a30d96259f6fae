import type { Frame } from '../wire/frames';
import type { EndReason } from '../wire/kinds';
import { endReasonFrom, fromHost } from '../wire/kinds';

/** How the host says a call has ended; `answer` is unread. */
export type CallEnd =
  | { readonly ended: 'answered'; readonly answer: Buffer }
  | { readonly ended: 'killed'; readonly reason: EndReason; readonly neverStarted: boolean };

interface Open {
  readonly callId: string;
  settle(end: CallEnd): void;
}

/** The executor's calls that its host has not ended yet. */
export class OpenCalls {
  private readonly open = new Map<number, Open>();
  private last = 0;

  add(callId: string): { readonly id: number; readonly end: Promise<CallEnd> } {
    this.last = (this.last % 0xffff_ffff) + 1;
    const id = this.last;
    let settle: Open['settle'] = () => {};
    const end = new Promise<CallEnd>((resolve) => (settle = resolve));
    this.open.set(id, { callId, settle });
    return { id, end };
  }

  /** Our id of the host's number for a call. */
  callIdOf(id: number): string | undefined {
    return this.open.get(id)?.callId;
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
    call.settle(end);
  }
}
