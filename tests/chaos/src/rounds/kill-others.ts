import type { Service } from '@writ/contracts';
import type { Fault } from '@writ/stack';
import type { HeldPoint, RoundPlan } from '../plan';
import { chaosLimits } from '../limits';
import { within } from '../world/eventually';
import { serviceOf } from '../world/crew';
import type { Harm } from './harm';
import { holdOne } from './hold-one';
import { NeverHappened, type Scene } from './scene';

type OthersPlan = Extract<RoundPlan, { kind: 'others' }>;

/** Appends whose hold keeps a process at the point of the same name; at the other points its tool does. */
const heldAppends: { readonly [point in Exclude<HeldPoint, 'K4c' | 'K5'>]: Fault } = {
  K1: { on: 'append', stream: 'session-', eventType: 'ToolCallStaged', do: 'hold', times: 1 },
  K4a: { on: 'append', stream: 'toolcall-', eventType: 'ToolExecutionStarted', do: 'hold', times: 1 },
  K6: { on: 'append', stream: 'toolcall-', eventType: 'ToolResultCommitted', do: 'hold', times: 1 },
  P1: { on: 'append', stream: 'toolcall-', eventType: 'ApprovalRequested', do: 'hold', times: 1 },
};
const serviceAt: { readonly [point in HeldPoint]: Service } = {
  K1: 'turn-orchestrator',
  K4a: 'tool-executor',
  K4c: 'tool-executor',
  K5: 'tool-executor',
  K6: 'tool-executor',
  P1: 'approval-service',
};

/** One process is held at a point while every process of every other service, and the broker, is killed. */
export async function killOthers(scene: Scene, plan: OthersPlan, turns: number): Promise<Harm> {
  const { crew, ledger, stack } = scene.world;
  await crew.stand(new Map());
  const beginning = await hold(scene, plan, turns);
  const others = crew.all().filter((name) => serviceOf(name) !== serviceAt[plan.point]);
  await crew.kill(...others, 'nats-server');
  const at = performance.now();
  await stack.start('nats-server');
  await stack.faults.heal();
  await crew.revive(...others);
  ledger.release();
  await beginning.done;
  return { hits: [], killed: { at, recovery: 'together' } };
}

/** Waits until it is held; the turns may still be on their way to be accepted then. */
async function hold(
  scene: Scene,
  { point, held }: OthersPlan,
  turns: number,
): Promise<{ done: Promise<void> }> {
  if (point === 'K4c' || point === 'K5') {
    await holdOne(scene, { tool: held, hold: point === 'K4c' ? 'before' : 'after' }, turns);
    return { done: Promise.resolve() };
  }
  const { faults } = scene.world.stack;
  await faults.arm(heldAppends[point]);
  const done = scene.beginMany(turns);
  const hit = await within(chaosLimits.settleMs, async () =>
    [...(await faults.hits()).values()].some((hits) => hits > 0) ? true : undefined,
  );
  if (hit === undefined) throw new NeverHappened('an append that was to be held did not come');
  return { done };
}
