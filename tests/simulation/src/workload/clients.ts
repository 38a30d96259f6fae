import type { Fleet } from '../world/fleet';
import type { Random } from '../world/random';
import type { World } from '../world/world';
import { simulationLimits } from '../limits';
import { endedTurns, heldCalls } from './record';

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
    const staged = this.world.log.events.filter(({ type }) => type === 'ToolCallStaged').length;
    return turn <= simulationLimits.turnsAtMost && staged < simulationLimits.least.calls;
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
    const body = { input: `Turn ${turn} of client ${this.index}.` };
    let turnId: string | undefined;
    while (turnId === undefined) {
      const started = await this.#ask((one) => one.sessions.startTurn(sessionId, body, key));
      if (started !== undefined && 'turnId' in started) ({ turnId } = started);
      else if (this.#waitsForPerson(started)) return;
      else await this.world.scheduler.sleep(300);
    }
    if (this.#random.chance(0.15)) void this.#interruptAfter(sessionId, this.#random.whole(100, 6_000));
    for (let looks = 1; !this.#hasEnded(sessionId, turnId); looks += 1) {
      await this.world.scheduler.sleep(250);
      // Nobody of the workload settles doubts: a held call's turn is given up once nothing else can move it.
      if (this.world.faults.isCalm && looks % 80 === 0 && heldCalls(this.world.log.events).size > 0)
        await this.#ask((one) => one.sessions.interrupt(sessionId));
    }
  }

  /** A held call of an ended turn shuts out the next one; nobody of the workload settles doubts. */
  #waitsForPerson(started: object | undefined): boolean {
    const isShutOut =
      started !== undefined && 'refused' in started && started.refused === 'earlier_calls_open';
    return isShutOut && this.world.faults.isCalm && heldCalls(this.world.log.events).size > 0;
  }

  #hasEnded(sessionId: string, turnId: string): boolean {
    return endedTurns(this.world.log.events, sessionId).has(turnId);
  }

  async #interruptAfter(sessionId: string, ms: number): Promise<void> {
    await this.world.scheduler.sleep(ms);
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
