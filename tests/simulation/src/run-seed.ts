import { checkRun } from './checkers/check-run';
import type { Asked, Evidence, Violation } from './checkers/history';
import { simulationLimits } from './limits';
import { startClients } from './workload/clients';
import { startPeople } from './workload/people';
import { heldCalls, openCallsOf } from './workload/record';
import { checkMinimum } from './checkers/minimum';
import { complete } from './workload/script';
import { Fleet } from './world/fleet';
import { planHarm } from './world/harm';
import { markCalm } from './world/marks';
import { World } from './world/world';
import { whileListening } from './while-listening';

export interface SeedRun {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly trace: readonly string[];
  /** Of every line that was said. */
  readonly traceDigest: string;
  readonly evidence: Evidence;
  readonly world: World;
  readonly sessions: number;
  readonly settled: boolean;
}

export interface SeedOptions {
  readonly withFaults?: boolean;
}

/** What happened, not judged yet. */
export interface Played {
  readonly world: World;
  readonly asked: readonly Asked[];
  readonly sessions: number;
  readonly settled: boolean;
}

/** One run: what happens with a seed, then the judgement. */
export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedRun> {
  const { world, asked, sessions, settled } = await playSeed(seed, options);
  const { violations: found, evidence } = await checkRun(world, asked, settled);
  const isAsPlanned = options.withFaults === false || !settled;
  const violations = [...found, ...(isAsPlanned ? [] : checkMinimum(world, sessions))];
  const { trace } = world;
  const traceDigest = trace.digest();
  return { seed, violations, trace: trace.last(), traceDigest, evidence, world, sessions, settled };
}

/** A phase with faults, then one without in which everything must settle. */
export async function playSeed(seed: number, { withFaults = true }: SeedOptions = {}): Promise<Played> {
  const world = new World({ seed, withFaults });
  return whileListening(world, {
    play: () => play(world),
    failed: { world, asked: [], sessions: 0, settled: false },
  });
}

async function play(world: World): Promise<Played> {
  const { seed, withFaults } = world;
  const { scheduler, trace, faults, killPoints, random } = world;
  const asked: Asked[] = [];
  const fleet = new Fleet(world, (process) => ({
    complete: (request) => {
      const { sessionId, messages } = request;
      const at = { logLength: world.log.events.length, atMs: scheduler.nowMs };
      asked.push({ sessionId, messages: JSON.stringify(messages), ...at });
      return process.answer(complete({ seed, scheduler, faults }, request));
    },
  }));
  fleet.startAll();
  const { settleDoubts } = startPeople(world, fleet);
  const clients = startClients(world, fleet);
  const { leastMs, mostMs } = simulationLimits.safety;
  const safetyMs = random.fork('phases').whole(leastMs, mostMs);
  if (withFaults) {
    planHarm(world, fleet, safetyMs);
    await scheduler.run(() => false, safetyMs);
  }
  trace.say('world', 'CALM');
  faults.calm();
  killPoints.disarm();
  markCalm(world, fleet);
  world.broker.start('kept');
  fleet.heal();
  if (!settleDoubts) letDaysPass(world, fleet);
  const done = (): boolean => clients.isDone() && openCallsOf(world.log.events) === 0;
  const settled = await scheduler.run(done, scheduler.nowMs + simulationLimits.livenessMs);
  return { world, asked, sessions: clients.sessions(), settled };
}

/** Nobody comes: while a held call is waited for, all machines sleep until the day after, past their deadlines. */
function letDaysPass(world: World, fleet: Fleet): void {
  const { scheduler, faults, trace, log } = world;
  const look = (): void => {
    if (heldCalls(log.events).size > 0) {
      faults.note('day_passes');
      trace.say('world', 'A_DAY_PASSES');
      fleet.stepWall(simulationLimits.dayMs);
    }
    scheduler.after(simulationLimits.quietMs, look);
  };
  scheduler.after(simulationLimits.quietMs, look);
}
