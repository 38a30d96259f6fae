import type { InDoubtItem } from '@writ/contracts';
import { digestOf, isRefused } from '@writ/runtime';
import type { SimApprovals } from '../world/approval-desk';
import type { Fleet } from '../world/fleet';
import type { Random } from '../world/random';
import type { World } from '../world/world';
import { simulationLimits } from '../limits';
import { wordOn, type Word } from './honest-word';

/** How many calls a person is shown. */
const page = { limit: 10 };

/** Those who decide about calls, in some seeds nobody, and, in most seeds, those who find out what came of calls in doubt. */
export function startPeople(world: World, fleet: Fleet): { readonly settleDoubts: boolean } {
  const random = world.random.fork('people');
  const count = random.whole(0, 3);
  const settleDoubts = random.chance(0.8);
  for (let nth = 1; nth <= count; nth += 1) void new Person(world, fleet, `person-${nth}`).decides();
  for (let nth = 1; settleDoubts && nth <= 2; nth += 1)
    void new Person(world, fleet, `finder-${nth}`).settlesDoubts();
  return { settleDoubts };
}

class Person {
  readonly #random: Random;

  constructor(
    private readonly world: World,
    private readonly fleet: Fleet,
    private readonly name: string,
  ) {
    this.#random = world.random.fork(name);
  }

  /** Looks at some list now and then and decides; sometimes another decides about the same call at the same moment. */
  async decides(): Promise<void> {
    const random = this.#random;
    const slow = random.chance(0.3);
    for (;;) {
      await this.world.scheduler.sleep(slow ? random.whole(3_000, 9_000) : random.whole(200, 2_500));
      const desk = this.#anyDesk();
      const waiting = await this.#asked(desk, (at) => at.lists.approvals(page));
      const call = waiting?.items[random.whole(0, Math.max(0, waiting.items.length - 1))];
      if (desk === undefined || call === undefined) continue;
      const { callId, argsDigest } = call;
      void this.#decide(desk, { callId, argsDigest, by: this.name });
      const other = random.chance(0.25) ? this.#anyDesk() : undefined;
      if (other !== undefined) void this.#decide(other, { callId, argsDigest, by: `${this.name}'s twin` });
    }
  }

  async #decide(
    desk: SimApprovals,
    { callId, argsDigest, by }: { readonly callId: string; readonly argsDigest: string; readonly by: string },
  ): Promise<void> {
    const decision = this.#random.chance(0.7) ? ('grant' as const) : ('deny' as const);
    this.world.trace.say(by, 'decides', { callId, decision });
    const who = { by, authentication: 'none' };
    // A page that was opened long ago shows what it showed then.
    const shown = this.world.faults.hits('stalePage') ? digestOf('an earlier page') : argsDigest;
    const given = { decision, argsDigest: shown } as const;
    const decided = await this.#asked(desk, (at) => at.desk.decide(callId, given, who));
    if (decided === undefined) return;
    if (isRefused(decided)) return this.world.note(`person refused: ${decided.refused}`);
    if (desk.started.process.isRunning) desk.desk.answered(decided);
  }

  /** Looks into what is in doubt, takes its time, and says what it has found: once, twice, or against somebody else. */
  async settlesDoubts(): Promise<void> {
    const random = this.#random;
    const slowestMs = random.chance(0.5) ? 800 : 4_000;
    for (;;) {
      await this.world.scheduler.sleep(random.whole(100, slowestMs));
      const desk = this.#anyDesk();
      const doubts = await this.#asked(desk, (at) => at.lists.inDoubt(page));
      const item = doubts?.items[random.whole(0, Math.max(0, doubts.items.length - 1))];
      if (item === undefined) continue;
      const word = wordOn(item, { outside: this.world.outside, random });
      if (word === undefined) continue;
      await this.world.scheduler.sleep(random.chance(0.3) ? random.whole(500, 8_000) : random.whole(0, 50));
      void this.#say(item, word, this.name);
      if (random.chance(0.3)) void this.#say(item, word, this.name);
      if (random.chance(0.3))
        void this.#say(item, { effect: 'unknown', evidence: 'did not look' }, `${this.name}'s twin`);
    }
  }

  async #say({ callId }: InDoubtItem, word: Word, by: string): Promise<void> {
    const { effect, rerun } = word;
    this.world.trace.say(by, 'settles_doubt', { callId, effect, rerun });
    const who = { by, authentication: 'none' };
    const answer = await this.#asked(this.#anyDesk(), (at) => at.doubts.resolve(callId, word, who));
    if (answer !== undefined)
      this.world.note(isRefused(answer) ? `doubt refused: ${answer.refused}` : 'doubt answered');
  }

  #anyDesk(): SimApprovals | undefined {
    const desks = this.fleet.approvals().filter(({ started }) => started.process.isRunning);
    return desks[this.#random.whole(0, Math.max(0, desks.length - 1))];
  }

  /** One request; undefined where nobody answers it in time. */
  async #asked<T>(
    desk: SimApprovals | undefined,
    request: (desk: SimApprovals) => Promise<T>,
  ): Promise<T | undefined> {
    if (desk === undefined || !desk.started.process.isRunning) return undefined;
    const patience = this.world.scheduler.sleep(simulationLimits.requestMs);
    return Promise.race([desk.started.process.answer(request(desk)), patience.then(() => undefined)]);
  }
}
