import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendCommand, EventWriter, WriteOutcome } from '../engine/event-writer';
import type { FaultRegistry } from '../faults/fault-registry';

export interface AppendParts {
  writer: EventWriter;
  faults: FaultRegistry;
}

/** How one append is answered; each of the two append methods has its own way. */
export interface AppendReply {
  outcome(outcome: WriteOutcome): Promise<void> | void;
  unavailable(): Promise<void> | void;
  /** Cuts the connection that the append came by. */
  disconnect(): void;
}

/**
 * Carries out one append under the armed faults. Up to the first wait everything happens at once, so that appends
 * are decided in the order in which they arrive. An append whose client has gone meanwhile is stored all the same.
 */
export async function performAppend(
  parts: AppendParts,
  command: AppendCommand,
  reply: AppendReply,
): Promise<void> {
  const fault = parts.faults.strike({
    on: 'append',
    stream: command.stream,
    eventTypes: command.events.map((event) => event.type),
  });
  switch (fault?.do) {
    case undefined:
      return reply.outcome(await parts.writer.append(command));
    case 'hold':
      await parts.faults.untilHealed();
      return performAppend(parts, command, reply);
    case 'fail_unavailable':
      return reply.unavailable();
    case 'disconnect':
      return reply.disconnect();
    case 'delay': {
      const outcome = await parts.writer.append(command);
      await sleep(fault.ms);
      return reply.outcome(outcome);
    }
    case 'store_then_drop_ack':
      await parts.writer.append(command);
      return;
    case 'store_then_wrong_version':
      return reply.outcome(asRefusal(await parts.writer.append(command)));
  }
}

function asRefusal(outcome: WriteOutcome): WriteOutcome {
  return outcome.kind === 'written'
    ? { kind: 'wrong_expected_version', current: outcome.lastRevision }
    : outcome;
}
