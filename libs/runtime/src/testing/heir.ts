import { HeldCall } from '../executor/held-call';
import { LeaseKeeper } from '../lease/lease-keeper';
import { LeaseWatch } from '../lease/lease-watch';
import type { ToolRunner } from '../ports';
import { silentBus as bus } from './edge';
import { heir, type lostCall } from './lost-call';

/** The lost call in the hands of its heir, whose tool does what the spec says and else nothing. */
export async function heldByHeir(
  world: Awaited<ReturnType<typeof lostCall>>,
  does: Partial<ToolRunner>,
): Promise<HeldCall> {
  const { ports, tool, context, place } = world;
  const host = { name: 'h', bootId: 'b' };
  const started = { service: 'tool-executor' as const, name: 'e2', version: '0', host, pid: 1 };
  const lease = new LeaseKeeper({
    ...{ ...ports, ttlMs: 5_000, onLost: () => undefined },
    started: { ...started, sockets: { process: '/s' } },
  });
  await lease.begin();
  const probe = { probe: () => Promise.resolve('alive' as const) };
  const watch = new LeaseWatch({
    ...{ ...ports, probe, ttlMs: 5_000, context: () => context, onChange: () => undefined },
  });
  const runner: ToolRunner = { ...idle, ...does };
  return new HeldCall({
    ports: { ...ports, bus, lease, watch, runner },
    ...{ tool, args: {}, instance: heir, wake: { version: 1, ...place }, mayStart: () => true },
  });
}

const idle: ToolRunner = {
  run: () => ({ result: Promise.resolve({ status: 'returned', content: [] }), kill: () => undefined }),
  check: () => Promise.resolve({ ok: true }),
  readback: () => Promise.resolve({ effect: 'unknown', evidence: null }),
  extend: () => undefined,
  rest: () => undefined,
  killAll: () => Promise.resolve(),
};
