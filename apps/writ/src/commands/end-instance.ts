import { readInstances, type InstanceStanding } from '@writ/audit';
import { leaseStream } from '@writ/contracts';
import { appendSealed, readNewest, seal } from '@writ/runtime';
import type { Command, Context } from '../context';
import { exitCodes, type ExitCode } from '../exit-codes';
import { clock, entropy } from '../system';
import { notRead } from './not-read';

/**
 * Declares an instance gone, on the word of whoever runs this: its lease is ended at the revision last seen, so that a
 * renewal in between says that it lives after all (protocol 7). `name` is `<service>.<name>`, with or without `#<incarnation>`.
 */
export const endInstance =
  (name: string): Command =>
  async (context) => {
    const read = await readInstances(context.store);
    if (read.outcome === 'unavailable') return exitCodes.cannotReach;
    const found = read.instances.find(
      ({ instance }) => instance === name || instance.replace(/#\d+$/, '') === name,
    );
    if (!found) {
      context.out.complain(
        `there is no instance ${name}, or it has started anew since; see \`writ instances\``,
      );
      return exitCodes.wrongUsage;
    }
    return endLease(context, found);
  };

async function endLease({ store, out, json }: Context, { instance }: InstanceStanding): Promise<ExitCode> {
  const stream = leaseStream(instance);
  const newest = await readNewest(store, stream);
  if (newest.outcome === 'unavailable' || newest.outcome === 'damaged') return notRead(out, newest, instance);
  const last = newest.outcome === 'events' ? newest.events[0] : undefined;
  if (last?.type === 'LeaseEnded') {
    const { reason, by } = last.data;
    if (json) out.json({ instance, ended: false, reason, by });
    else out.line(`  ${instance}: its lease has ended before (${reason}, by ${by})`);
    return exitCodes.good;
  }
  const head = {
    stream,
    revision: last?.revision ?? ('no_stream' as const),
    lastDigest: last?.metadata.digest ?? null,
  };
  const sealed = seal({ clock, entropy }, head, {
    drafts: [{ type: 'LeaseEnded', data: { instance, reason: 'gone', by: 'operator' } }],
    context: { actor: { service: 'writ' }, correlationId: instance },
  });
  const appended = await appendSealed(store, sealed);
  switch (appended.outcome) {
    case 'acknowledged':
      if (json) out.json({ instance, ended: true, reason: 'gone', by: 'operator' });
      else out.line(`  ${instance}: its lease is ended, others may take over what it held`);
      return exitCodes.good;
    case 'conflict':
      out.complain(`${instance} has renewed its lease in this moment: it lives, nothing was ended`);
      return exitCodes.finding;
    case 'unknown':
      return exitCodes.cannotReach;
    case 'refused':
      out.complain('the store would not take the event');
      return exitCodes.finding;
  }
}
