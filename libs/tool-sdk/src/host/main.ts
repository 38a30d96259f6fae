/**
 * The tool host (R10): leader of its own session and process group, parent of all tool processes, holder of the
 * instance's second socket, watchdog over the lease. It runs no tool's code. At end of file on descriptor 3, which is
 * the executor's end, it ends everybody in its session and then itself.
 */
import { spawnSync } from 'node:child_process';
import { endOwnSession } from '../processes/session';
import { seesProcesses } from '../processes/process-table';
import { openChannel } from '../wire/channel';
import { jsonPayload, numberField, parseFields, textField } from '../wire/fields';
import type { Frame } from '../wire/frames';
import { endReasonFrom, fromHost, toHost } from '../wire/kinds';
import type { PoolEvents } from './pool';
import { Pool } from './pool';
import { ToolReports } from './reports';
import { descriptorOf, listenAt } from './sockets';
import { ToolProcess } from './tool-process';
import { monotonicMs, Watchdog } from './watchdog';

let pool: Pool | undefined;
/** What the first tool process has loaded: later ones must have loaded the same. */
let described: Buffer | undefined;

const channel = openChannel({ onFrame: receive, onEnd: () => endOwnSession() });
const reports = new ToolReports(channel);
const watchdog = new Watchdog(monotonicMs, () => {
  reports.note('tool_host_watchdog_expired', {});
  void pool?.killAll('watchdog');
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => endOwnSession());
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  endOwnSession();
});

function receive(frame: Frame): void {
  const { kind, call, number, payload } = frame;
  if (kind === toHost.init) void start(payload);
  if (kind === toHost.alive) {
    watchdog.extend(number);
    pool?.warm();
    channel.send({ kind: fromHost.here, call, number: 0 });
  }
  if (kind === toHost.rest && pool?.busy === false) watchdog.rest();
  if (kind === toHost.startAlone || kind === toHost.startShared) {
    watchdog.wake();
    pool?.start({ id: call, shared: kind === toHost.startShared, deadlineMs: number, payload });
  }
  if (kind === toHost.kill) pool?.kill(call, endReasonFrom(payload));
  if (kind === toHost.killAll) {
    channel.send({ kind: fromHost.here, call, number: 0 });
    void pool
      ?.killAll(endReasonFrom(payload))
      .then(() => channel.send({ kind: fromHost.allKilled, call, number: 0 }));
  }
}

async function start(payload: Buffer): Promise<void> {
  const fields = parseFields(payload);
  const server = await listenAt(textField(fields, 'socketPath'));
  const listening = descriptorOf(server);
  const deathSignal = spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true']).status === 0;
  if (!deathSignal) reports.note('tool_host_without_setpriv', {});
  if (!seesProcesses()) reports.note('tool_host_without_proc', {});
  if (listening === undefined) reports.note('tool_host_without_held_socket', {});
  const spawn = (events: PoolEvents): ToolProcess =>
    new ToolProcess({
      init: payload,
      deathSignal,
      listening,
      env: process.env,
      events: {
        ...events,
        accepts: acceptsDescribed,
        onLog: (from, frame) => reports.toolLog(from, frame),
        onOutput: (from, line) => reports.output(from, line),
        onLost: (from, why) => {
          if (described === undefined)
            sayReady(jsonPayload({ tools: [], problems: [`a tool process: ${why}`] }));
          events.onLost(from, why);
        },
      },
    });
  const slots = numberField(fields, 'slots');
  pool = new Pool({ slots, spawn, mayRun: () => watchdog.stands(), report: reports });
  pool.warm();
}

function acceptsDescribed(payload: Buffer): boolean {
  if (described === undefined) sayReady(payload);
  return described?.equals(payload) === true;
}

function sayReady(payload: Buffer): void {
  described = payload;
  channel.send({ kind: fromHost.ready, call: 0, number: 0, payload });
}
