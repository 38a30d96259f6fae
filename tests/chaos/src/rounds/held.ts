import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '@writ/contracts';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import type { Choices, HeldPlan } from '../plans';
import type { Target } from '../points';
import { reach, type Reached } from '../reach';
import type { Harm } from './harm';
import type { Scene } from './scene';

type Plan = Choices & HeldPlan;

/** One process stands at its point while others die or freeze; then it goes on, or dies there too. */
export async function heldRound(scene: Scene, plan: Plan, config: ChaosConfig): Promise<Harm> {
  const { ledger } = scene.world;
  const one = await reach(scene, plan, { ends: 'stands', isAlone: false, turns: config.turns });
  const { isHit, interrupted, begun } = one;
  if (!isHit) {
    ledger.release();
    await Promise.all([begun, one.recover('takeover')]);
    return { isHit, interrupted };
  }
  const blow = blowOf(scene, plan, config);
  await blow.strike();
  const struckAt = performance.now();
  await letGo(scene, plan, one);
  const heldMs = performance.now() - one.at;
  const at = plan.recovery === 'wakes' ? performance.now() : struckAt;
  const outageMs = await blow.heal();
  if (plan.then === 'dies') await one.recover(plan.recovery === 'takeover' ? 'takeover' : 'restart');
  ledger.release();
  await begun;
  const isKill = plan.recovery !== 'wakes' || plan.then === 'dies';
  return {
    isHit,
    interrupted,
    struck: plan.struck,
    hasDied: plan.then === 'dies',
    silentMs: Math.max(heldMs, outageMs),
    ...(isKill ? { killed: { at, recovery: 'others' } } : {}),
  };
}

async function letGo({ world: { crew } }: Scene, { then }: Plan, one: Reached): Promise<void> {
  if (then === 'dies') await crew.kill(one.name);
  else if (one.isStopped) crew.thaw(one.name);
}

interface Blow {
  strike(): Promise<void>;
  /** Answers for how many milliseconds a process that holds something stood still or had no store. */
  heal(): Promise<number>;
}

function blowOf(scene: Scene, plan: Plan, config: ChaosConfig): Blow {
  return plan.recovery === 'wakes' ? freezing(scene, plan, config) : killing(scene, plan);
}

const isStore = (target: Target): target is 'event-store' | 'nats-server' =>
  target === 'event-store' || target === 'nats-server';
const services = (struck: readonly Target[]): readonly Service[] =>
  struck.flatMap((target) => (isStore(target) ? [] : [target]));

/** All instances die and start again; or of each service one dies and stays away, and the others go on. */
function killing({ world: { crew, stack } }: Scene, { struck, recovery, victim }: Plan): Blow {
  const stores = struck.filter(isStore);
  const names = services(struck).flatMap((service) =>
    recovery === 'takeover' ? [crew.nth(service, victim)] : crew.names(service),
  );
  // One that is alone in its service has nobody who takes over.
  const dead = names.filter((name) => recovery === 'restart' || crew.others(name).length === 0);
  let at = 0;
  return {
    async strike() {
      at = performance.now();
      await crew.kill(...names, ...stores);
    },
    async heal() {
      for (const store of stores) await stack.start(store);
      const outageMs = stores.includes('event-store') ? performance.now() - at : 0;
      await crew.revive(...dead);
      return outageMs;
    },
  };
}

/** Of each service one stands still for longer than its lease lives; the store and the broker for a moment. */
function freezing({ world: { crew, stack } }: Scene, { struck, victim }: Plan, config: ChaosConfig): Blow {
  const stores = struck.filter(isStore);
  const names = services(struck).map((service) => crew.nth(service, victim));
  return {
    strike() {
      for (const name of names) crew.freeze(name);
      for (const store of stores) stack.signal(store, 'SIGSTOP');
      return Promise.resolve();
    },
    async heal() {
      const silentMs = config.leaseTtlMs * chaosLimits.silentTtls;
      await sleep(names.length > 0 ? silentMs : chaosLimits.outageMs);
      for (const store of stores) stack.signal(store, 'SIGCONT');
      for (const name of names) crew.thaw(name);
      if (names.length > 0) return silentMs;
      return stores.includes('event-store') ? chaosLimits.outageMs : 0;
    },
  };
}
