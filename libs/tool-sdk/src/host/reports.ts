import type { Channel } from '../wire/channel';
import { jsonPayload, parseFields, textField } from '../wire/fields';
import type { Frame } from '../wire/frames';
import type { EndReason } from '../wire/kinds';
import { fromHost } from '../wire/kinds';
import { limits } from '../limits';
import { cutText } from '../wire/text';
import { LineGate } from './output';
import type { ToolProcess } from './tool-process';
import { monotonicMs } from './watchdog';

/** What the host tells the executor: how calls ended, and lines for its log, bounded per tool process. */
export class ToolReports {
  private readonly gates = new WeakMap<ToolProcess, LineGate>();

  constructor(private readonly channel: Channel) {}

  settled(call: number, frame: Frame): void {
    this.channel.send({ kind: fromHost.settled, call, number: frame.number, payload: frame.payload });
  }

  killed(call: number, reason: EndReason, neverStarted: boolean): void {
    const payload = Buffer.from(reason, 'utf8');
    this.channel.send({ kind: fromHost.killed, call, number: neverStarted ? 1 : 0, payload });
  }

  /** About the host itself: rare, so not held back. */
  note(event: string, fields: { readonly [key: string]: string | number }): void {
    const payload = jsonPayload({ level: 'warn', event, fields });
    this.channel.send({ kind: fromHost.log, call: 0, number: 0, payload });
  }

  output(toolProcess: ToolProcess, line: string): void {
    this.line(toolProcess, { level: 'info', event: 'tool_output', call: 0, message: line });
  }

  toolLog(toolProcess: ToolProcess, frame: Frame): void {
    const fields = parseFields(frame.payload);
    const message = cutText(textField(fields, 'message'), limits.lineChars);
    this.line(toolProcess, {
      level: textField(fields, 'level'),
      event: 'tool_log',
      call: frame.call,
      message,
    });
  }

  private line(
    toolProcess: ToolProcess,
    { level, event, call, message }: { level: string; event: string; call: number; message: string },
  ): void {
    const gate = this.gates.get(toolProcess) ?? new LineGate();
    this.gates.set(toolProcess, gate);
    const dropped = gate.pass(monotonicMs());
    if (dropped === undefined) return;
    const fields = {
      toolProcess: toolProcess.pid,
      message,
      ...(dropped > 0 ? { droppedBefore: dropped } : {}),
    };
    this.channel.send({
      kind: fromHost.log,
      call,
      number: 0,
      payload: jsonPayload({ level, event, fields }),
    });
  }
}
