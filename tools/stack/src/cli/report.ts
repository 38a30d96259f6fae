import type { StackEvent } from '../options';
import type { Stack } from '../stack';

export interface Report {
  ready(stack: Stack, data: string): void;
  event(event: StackEvent): void;
}

type Write = (text: string) => void;

/** For programs: JSON lines and nothing else on stdout. */
export function jsonReport(write: Write): Report {
  const line = (value: object): void => write(`${JSON.stringify(value)}\n`);
  return {
    ready: (stack) => line({ ready: true, ...stack.addresses, processes: stack.processes }),
    event: line,
  };
}

/** For people: where everything is, and what happens to it. */
export function humanReport(write: Write): Report {
  return {
    ready(stack, data) {
      const { orchestrator, executor, approvals, eventstore, faults, nats } = stack.addresses;
      const rows: readonly (readonly [string, string | undefined])[] = [
        ['orchestrator', orchestrator],
        ['executor', executor],
        ['approvals', approvals],
        ['event store', eventstore],
        ['its faults', `${faults}/faults`],
        ['broker', nats],
        ['data, logs', data],
      ];
      const table = rows
        .filter(([, where]) => where !== undefined)
        .map(([what, where]) => `  ${what.padEnd(14)}${where ?? ''}`);
      write(`Writ is running; Ctrl-C stops it.\n\n${table.join('\n')}\n\n`);
    },
    event(event) {
      if ('started' in event)
        return write(`${event.started.name} started again (pid ${event.started.pid}).\n`);
      const { name, pid, code, signal } = event.ended;
      write(
        `${name} (pid ${pid}) ended ${signal === null ? `with exit code ${code ?? '?'}` : `by ${signal}`}.\n`,
      );
    },
  };
}
