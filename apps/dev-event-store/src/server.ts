import { EventBodies } from './engine/event-bodies';
import { EventIndex } from './engine/event-index';
import { EventWriter } from './engine/event-writer';
import { Publications } from './engine/publications';
import { FaultHttp } from './faults/fault-http';
import { FaultRegistry } from './faults/fault-registry';
import type { Config } from './config';
import { STOP_GRACE_MS } from './limits';
import { GroupCommit } from './log/group-commit';
import { type LockResult, lockFolder } from './log/lock';
import { type LogDisk, openLogDisk } from './log/log-disk';
import { makeFolder, openLog } from './log/open-log';
import { GrpcServer } from './wire/grpc-server';

export interface ServerHooks {
  /** A write or an fdatasync failed: the process must end, nothing more may be acknowledged. */
  onFatal: (error: unknown) => void;
  /** A bug in a handler; the request was answered with an error. */
  onBug: (error: unknown) => void;
  /** Binds the log to a disk; a test binds it to one that lies. */
  openDisk?: (path: string) => Promise<LogDisk>;
}

export interface RunningServer {
  port: number;
  faultPort: number | undefined;
  /** Bytes of a torn tail that were cut away at the start. */
  cutBytes: number;
  /** Ends in order: no new work, what was accepted is synced and answered, open calls fail. */
  stop: () => Promise<void>;
}

/** `problem` is one line for a person. */
export type StartResult = { ok: true; server: RunningServer } | { ok: false; problem: string };

/** Takes the data folder, reads the log, and serves it. */
export async function startServer(config: Config, hooks: ServerHooks): Promise<StartResult> {
  makeFolder(config.data);
  const lock = await lockFolder(config.data);
  if (!lock.ok) {
    return {
      ok: false,
      problem: `${config.data} is in use by the event store with process id ${lock.holder.pid}; stop it first or start with another --data folder`,
    };
  }
  const result = await serve(config, hooks, lock);
  if (!result.ok) lock.release();
  return result;
}

async function serve(
  config: Config,
  hooks: ServerHooks,
  lock: LockResult & { ok: true },
): Promise<StartResult> {
  const index = new EventIndex();
  const opened = openLog(config.data, (payload, offset) => index.addRecord(payload, offset));
  if (!opened.ok) return opened;
  const { path, header, storeSeed, end, cutBytes } = opened.log;
  index.publish(end);

  const disk = await (hooks.openDisk ?? openLogDisk)(path);
  const publications = new Publications();
  const commit = new GroupCommit({
    disk,
    storeSeed,
    end,
    onDurable: (durableEnd) => {
      index.publish(durableEnd);
      publications.announce();
    },
    onFatal: hooks.onFatal,
  });
  const bodies = new EventBodies(index.table, disk);
  const faults = new FaultRegistry();
  const now = Date.now;
  const writer = new EventWriter({ index, bodies, commit, now });
  const context = { index, bodies, writer, publications, faults, now, report: hooks.onBug };
  const ports = await listen(config, { context, instanceId: header.storeId });
  if (!ports.ok) {
    await disk.close();
    return ports;
  }
  const { grpc, faultHttp } = ports;
  const stop = async (): Promise<void> => {
    grpc.stopAccepting();
    writer.close();
    await commit.durable(commit.end);
    // One turn of the loop, in which the answers that waited for the disk are written.
    await new Promise((resolve) => setImmediate(resolve));
    await grpc.stop(STOP_GRACE_MS);
    faultHttp?.stop();
    await disk.close();
    lock.release();
  };
  return { ok: true, server: { port: grpc.port, faultPort: faultHttp?.port, cutBytes, stop } };
}

type Listening = { ok: true; grpc: GrpcServer; faultHttp?: FaultHttp } | { ok: false; problem: string };

type GrpcParts = Pick<Parameters<typeof GrpcServer.listen>[0], 'context' | 'instanceId'>;

async function listen(config: Config, parts: GrpcParts): Promise<Listening> {
  const { host, port, faultPort } = config;
  let grpc: GrpcServer;
  try {
    grpc = await GrpcServer.listen({ ...parts, host, port });
  } catch (error) {
    return { ok: false, problem: listenProblem(error, { option: 'port', host, port }) };
  }
  if (faultPort === undefined) return { ok: true, grpc };
  try {
    return { ok: true, grpc, faultHttp: await FaultHttp.listen(faultPort, parts.context.faults) };
  } catch (error) {
    grpc.stopAccepting();
    await grpc.stop(0);
    const where = { option: 'fault-port', host: '127.0.0.1', port: faultPort };
    return { ok: false, problem: listenProblem(error, where) };
  }
}

function listenProblem(error: unknown, where: { option: string; host: string; port: number }): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason =
    code === 'EADDRINUSE'
      ? 'is in use'
      : `cannot be opened (${code ?? (error instanceof Error ? error.message : error)})`;
  return `port ${where.port} on ${where.host} ${reason}: stop the program that holds it or choose another with --${where.option}`;
}
