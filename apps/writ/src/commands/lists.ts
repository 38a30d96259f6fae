import { readInstances, readManifests, readWork, type InstanceStanding } from '@writ/audit';
import { pendingApprovals, sessionItems } from '@writ/protocol';
import type { Command } from '../context';
import { exitCodes } from '../exit-codes';
import { ageOf } from '../print/age';
import { printTable } from '../print/table';

/** Sessions, newest first. */
export const listSessions =
  (limit: number): Command =>
  async ({ store, out, json, nowMs }) => {
    const read = await readWork(store);
    if (read.outcome === 'unavailable') return exitCodes.cannotReach;
    const items = sessionItems(read.work, { limit });
    if (json) out.json({ items });
    else {
      const rows = items.map((item) => [
        item.sessionId,
        item.status.replaceAll('_', ' '),
        String(item.openCalls),
        String(item.inDoubtCalls),
        ageOf(item.openedAt, nowMs),
        ageOf(item.lastEventAt, nowMs),
      ]);
      const head = ['session', 'status', 'open calls', 'in doubt', 'opened', 'last event'];
      printTable(out, { head, rows, empty: 'no sessions', right: [2, 3, 4, 5] });
    }
    return exitCodes.good;
  };

/** Calls that wait for a person, oldest first; the console has their arguments. */
export const listApprovals: Command = async ({ store, out, json, nowMs }) => {
  const read = await readWork(store);
  if (read.outcome === 'unavailable') return exitCodes.cannotReach;
  const items = pendingApprovals(read.work);
  if (json) out.json({ items });
  else {
    const rows = items.map((call) => [
      call.callId,
      call.sessionId,
      call.tool ?? '',
      ageOf(call.asked?.requested?.at ?? call.stagedAt, nowMs),
      call.asked?.requested?.deadline ?? 'not asked yet',
    ]);
    const head = ['call', 'session', 'tool', 'waits', 'deadline'];
    printTable(out, { head, rows, empty: 'nothing waits for a person', right: [3] });
  }
  return exitCodes.good;
};

/** The newest manifest of each pool. */
export const listTools: Command = async ({ store, out, json }) => {
  const read = await readManifests(store);
  if (read.outcome === 'unavailable') return exitCodes.cannotReach;
  if (json) out.json({ pools: read.manifests });
  else {
    const rows = read.manifests.flatMap(({ pool, tools }) =>
      tools.map((tool) => [
        tool.name,
        pool,
        tool.effectClass,
        [tool.hasReadback && 'readback', tool.hasCheck && 'check', tool.fenced && 'fenced']
          .filter(Boolean)
          .join(' '),
        `${tool.timeoutMs} ms`,
        out.colors.dim(tool.definitionDigest.slice(0, 19)),
      ]),
    );
    const head = ['tool', 'pool', 'effect class', '', 'timeout', 'definition'];
    printTable(out, { head, rows, empty: 'no executor has published its tools', right: [4] });
  }
  return exitCodes.good;
};

/** The newest incarnation of each instance. */
export const listInstances: Command = async ({ store, out, json, nowMs }) => {
  const read = await readInstances(store);
  if (read.outcome === 'unavailable') return exitCodes.cannotReach;
  if (json) out.json({ items: read.instances });
  else {
    const rows = read.instances.map(({ instance, started, startedAt, lease }) => [
      instance,
      started.version,
      started.pool ?? '',
      `${started.host.name} ${started.pid}`,
      ageOf(startedAt, nowMs),
      leaseText(lease, nowMs),
    ]);
    const head = ['instance', 'version', 'pool', 'host, pid', 'started', 'lease'];
    printTable(out, { head, rows, empty: 'no instance has started', right: [4] });
  }
  return exitCodes.good;
};

function leaseText(lease: InstanceStanding['lease'], nowMs: number): string {
  switch (lease.status) {
    case 'none':
      return 'holds nothing yet';
    case 'renewed':
      return `renewed ${ageOf(lease.at, nowMs)} ago`;
    case 'ended':
      return `ended ${ageOf(lease.at, nowMs)} ago: ${lease.reason}, by ${lease.by}`;
  }
}
