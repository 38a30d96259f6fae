import type { Fleet } from '../world/fleet';
import type { Random } from '../world/random';
import type { World } from '../world/world';
import { simulationLimits } from '../limits';
import { endedTurns } from './record';
import { lacksCalls } from './minimum';

export interface Workload {
  /** Sessions that were asked for and how many of the turns asked for have ended on record, once all have. */
  isDone(): boolean;
  readonly sessions: () => number;
}

/** People's programs: each opens a session and starts its turns, with one key per turn however often it asks. */
export function startClients(world: World, fleet: Fleet): Workload {
  const random = world.random.fork('clients');
  const clients = Array.from({ length: random.whole(3, 4) }, (_, index) => new Client(world, fleet, index));
  for (const client of clients) void client.run(random.whole(0, 3_000));
  return {
    isDone: () => clients.every((client) => client.done),
    sessions: () => clients.filter((client) => client.sessionId !== undefined).length,
  };
}

class Client {
  sessionId: string | undefined;
  done = false;
  readonly #random: Random;

  constructor(
    private readonly world: World,
    private readonly fleet: Fleet,
    private readonly index: number,
  ) {
    this.#random = world.random.fork(`client/${index}`);
  }

  async run(afterMs: number): Promise<void> {
    await this.world.scheduler.sleep(afterMs);
    this.sessionId = await this.#open();
    const turns = this.#random.whole(1, 2);
    for (let turn = 1; turn <= turns || this.#isTooQuiet(turn); turn += 1)
      await this.#turn(this.sessionId, turn);
    this.done = true;
  }

  /** A run whose turns failed early goes on until it has had its calls. */
  #isTooQuiet(turn: number): boolean {
    return turn <= simulationLimits.turnsAtMost && lacksCalls(this.world.log.events);
  }

  async #open(): Promise<string> {
    for (;;) {
      const opened = await this.#ask((orchestrator) => orchestrator.openSession());
      if (opened !== undefined && 'sessionId' in opened) return opened.sessionId;
      await this.world.scheduler.sleep(300);
    }
  }

  async #turn(sessionId: string, turn: number): Promise<void> {
    const key = `client-${this.index}-turn-${turn}`;
    const body = { input: `Turn ${turn} of client ${this.index}.`, ...this.#budgets() };
    let turnId: string | undefined;
    while (turnId === undefined) {
      const started = await this.#ask((one) => one.sessions.startTurn(sessionId, body, key));
      if (started !== undefined && 'turnId' in started) ({ turnId } = started);
      else await this.world.scheduler.sleep(300);
    }
    if (this.#random.chance(0.15)) void this.#interruptAfter(sessionId, this.#random.whole(100, 6_000));
    while (!this.#hasEnded(sessionId, turnId)) await this.world.scheduler.sleep(250);
  }

  /** Some are in a hurry: with a turn, or with each of its rounds. */
  #budgets(): { readonly budgets?: { readonly wallTime?: number; readonly roundTime?: number } } {
    if (!this.world.withFaults || !this.#random.chance(0.2)) return {};
    const ms = this.#random.whole(1_000, 9_000);
    return { budgets: this.#random.chance(0.5) ? { wallTime: ms } : { roundTime: ms } };
  }

  #hasEnded(sessionId: string, turnId: string): boolean {
    return endedTurns(this.world.log.events, sessionId).has(turnId);
  }

  async #interruptAfter(sessionId: string, ms: number): Promise<void> {
    await this.world.scheduler.sleep(ms);
    // A turn that does not end by itself in calm is a failure of the product, and nobody hides it.
    if (!this.world.faults.isCalm || !this.world.withFaults)
      await this.#ask((one) => one.sessions.interrupt(sessionId));
  }

  /** One request to some orchestrator; undefined where it was not answered in time, or answered by a throw. */
  async #ask<T>(
    request: (orchestrator: ReturnType<Fleet['orchestrators']>[number]) => Promise<T>,
  ): Promise<T | undefined> {
    const there = this.fleet.orchestrators().filter(({ started }) => !started.process.isDead);
    const one = there[this.#random.whole(0, Math.max(0, there.length - 1))];
    if (one === undefined || one.started.process.isFrozen) return undefined;
    const { scheduler } = this.world;
    return Promise.race([
      one.started.process.answer(request(one)),
      scheduler.sleep(simulationLimits.requestMs).then(() => undefined),
    ]);
  }
}
