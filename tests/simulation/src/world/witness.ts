import { streamPrefixes, type Wake } from '@writ/contracts';
import type { EventStore, ToolRequest, ToolRunner } from '@writ/runtime';
import type { WiredBus } from './wired-bus';
import type { World } from './world';

interface Seen {
  readonly callId: string;
  /** Events in the log when it was seen. */
  readonly logLength: number;
}
/** What one executor's process said to its tools or heard from them. */
export interface OfTool extends Seen {
  /** Label of the process. */
  readonly by: string;
  readonly epoch: number;
  /** Virtual milliseconds. */
  readonly atMs: number;
}
export interface CheckHeard extends OfTool {
  readonly ok: boolean;
}

/** What passed through the ports of processes, seen from outside of them: for the checkers alone. */
export class Witness {
  readonly woken: Seen[] = [];
  readonly runs: OfTool[] = [];
  readonly checks: CheckHeard[] = [];
  readonly returns: OfTool[] = [];
  /** Appends to calls' streams whose outcome their executor does not know, by the id of their first event. */
  readonly unknown = new Map<string, Unknown>();
}

interface Unknown {
  readonly stream: string;
  readonly by: string;
  /** Virtual milliseconds at which it was told last that the outcome is unknown. */
  readonly atMs: number;
}

export function witnessedStore(store: EventStore, { witness, scheduler }: World, by: string): EventStore {
  return {
    append: async (stream, expected, events) => {
      const outcome = await store.append(stream, expected, events);
      const id = events[0]?.id ?? '';
      if (outcome.outcome !== 'unknown') witness.unknown.delete(id);
      else if (stream.startsWith(streamPrefixes.call))
        witness.unknown.set(id, { stream, by, atMs: scheduler.nowMs });
      return outcome;
    },
    capStream: (stream, maxCount) => store.capStream(stream, maxCount),
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (options) => store.readAll(options),
    follow: (options) => store.follow(options),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

export function witnessedRunner(
  runner: ToolRunner,
  { witness, log, scheduler }: World,
  by: string,
): ToolRunner {
  const seen = ({ callId, epoch }: ToolRequest): OfTool => ({
    callId,
    epoch,
    by,
    logLength: log.events.length,
    atMs: scheduler.nowMs,
  });
  return {
    run: (request) => {
      witness.runs.push(seen(request));
      const run = runner.run(request);
      void run.result.then(({ status }) => {
        if (status === 'returned') witness.returns.push(seen(request));
      });
      return run;
    },
    check: async (request) => {
      const answer = await runner.check(request);
      witness.checks.push({ ...seen(request), ok: answer.ok });
      return answer;
    },
    readback: (request) => runner.readback(request),
    extend: (until) => runner.extend(until),
    rest: () => runner.rest(),
    killAll: (reason) => runner.killAll(reason),
  };
}

/** A wake is seen as it leaves. Some are followed by one that says that another event stages the call. */
export function witnessedBus(bus: WiredBus, { witness, log, faults }: World): WiredBus {
  const see = ({ callId }: Wake): void => void witness.woken.push({ callId, logLength: log.events.length });
  return {
    ...bus,
    wakeExecutor: (pool, wake) => {
      see(wake);
      if (faults.hits('messageUntrue'))
        void bus.wakeExecutor(pool, { ...wake, stagedRevision: wake.stagedRevision + faults.whole(-1, 1) });
      return bus.wakeExecutor(pool, wake);
    },
    wakeApprovals: (wake) => {
      see(wake);
      return bus.wakeApprovals(wake);
    },
  };
}
