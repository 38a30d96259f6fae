/**
 * Notices a host that is frozen: every question has a number, and only the answer that names it shows that the host
 * lived when it was asked. Any other frame may have waited in the pipe since before the freeze.
 */
export class SignsOfLife {
  private asked = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly silentMs: number,
    private readonly onSilent: () => void,
  ) {}

  /** The number to send along with a question. */
  ask(): number {
    this.asked = (this.asked % 0xffff_ffff) + 1;
    if (this.timer === undefined) this.wait();
    return this.asked;
  }

  /** Takes the number that an answer names. */
  heard(answer: number): void {
    this.stop();
    if (answer !== this.asked) this.wait();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** In two steps: after a freeze of this process the first timer is overdue although the answer waits in the pipe. */
  private wait(): void {
    const halfMs = this.silentMs / 2;
    this.timer = setTimeout(() => {
      this.timer = setTimeout(this.onSilent, halfMs);
    }, halfMs);
  }
}
