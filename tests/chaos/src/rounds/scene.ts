import { setTimeout as sleep } from 'node:timers/promises';
import type { CanonicalCall, CanonicalTranscript } from '@writ/contracts';
import { chaosLimits } from '../limits';
import type { RoundPlan } from '../plans';
import { within } from '../world/eventually';
import type { Script } from '../world/model-server';
import type { World } from '../world/world';

export interface StartedTurn {
  readonly sessionId: string;
  readonly turnId: string;
}

export interface TurnWish {
  /** The call of the first step that its tool keeps inside. */
  readonly held?: { readonly tool: string; readonly hold: 'before' | 'after' };
  /** A call that waits for a person who never answers. */
  readonly unanswered?: boolean;
  /** The call without an effect comes in the second step, so that the first result of the turn is of one that has one. */
  readonly readsLast?: boolean;
}

/** The turns of one round: begun, granted what they ask for, looked at, waited for. */
export class Scene {
  readonly turns: StartedTurn[] = [];
  /** Sessions whose approvals nobody grants. */
  readonly ungranted = new Set<string>();
  private readonly granting = new AbortController();
  private readonly granted: Promise<void>;

  constructor(
    readonly world: World,
    private readonly plan: RoundPlan,
  ) {
    world.ledger.hold();
    this.granted = this.grantNowAndThen();
  }

  /** A session with one turn; ends once the turn is accepted, by whoever accepts it. */
  async begin(wish: TurnWish = {}): Promise<StartedTurn> {
    return this.beginIn(await this.world.client.openSession(), wish);
  }

  async beginIn(sessionId: string, wish: TurnWish = {}): Promise<StartedTurn> {
    const turnId = await this.world.client.startTurn(sessionId, this.script(wish));
    const turn = { sessionId, turnId };
    this.turns.push(turn);
    return turn;
  }

  async beginMany(count: number, wish: TurnWish = {}): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.begin(wish)));
  }

  /** The first call of a session that `look` accepts, once there is one. */
  async call(sessionId: string, look: (call: CanonicalCall) => boolean): Promise<CanonicalCall> {
    const found = await within(
      chaosLimits.settleMs,
      async () => callsOf(await this.world.client.transcript(sessionId)).find(look),
      chaosLimits.askEveryMs,
    );
    if (found === undefined) throw new NeverHappened('a call that was to come about did not');
    return found;
  }

  /** The transcripts once every turn has ended and every call has its result; undefined where that never came. */
  settled(): Promise<readonly CanonicalTranscript[] | undefined> {
    const look = async (): Promise<readonly CanonicalTranscript[] | undefined> => {
      const transcripts = await this.transcripts();
      const areAll = transcripts.length === this.turns.length;
      return areAll && transcripts.every(isSettled) ? transcripts : undefined;
    };
    return within(chaosLimits.settleMs, look, chaosLimits.askEveryMs);
  }

  async transcripts(): Promise<readonly CanonicalTranscript[]> {
    const asked = this.turns.map(({ sessionId }) => this.world.client.transcript(sessionId));
    return (await Promise.all(asked)).flatMap((each) => (each === undefined ? [] : [each]));
  }

  async close(): Promise<void> {
    this.granting.abort();
    await this.granted;
  }

  private script({ held, unanswered, readsLast }: TurnWish): Script {
    const k = String(this.plan.round);
    const call = (tool: string) => ({ tool, args: held?.tool === tool ? { k, hold: held.hold } : { k } });
    const look = [call('look')];
    const [early, late] = readsLast === true ? [[], look] : [look, []];
    const waiting = unanswered === true ? [{ tool: 'send_unanswered', args: { k } }] : [];
    const effects = ['put', 'book', 'send', 'send_asked'].map(call);
    return [
      [...early, ...effects, ...waiting],
      [...late, { tool: 'book', args: { k } }],
    ];
  }

  private async grantNowAndThen(): Promise<void> {
    while (!this.granting.signal.aborted) {
      await this.world.client.grant(
        ({ tool, sessionId, deadline }) =>
          tool === 'send_asked' && deadline !== undefined && !this.ungranted.has(sessionId),
      );
      await sleep(chaosLimits.askEveryMs);
    }
  }
}

/** Something that the round needs never came about: a finding of liveness. */
export class NeverHappened extends Error {
  override readonly name = 'NeverHappened';
}

export const callsOf = (transcript: CanonicalTranscript | undefined): readonly CanonicalCall[] =>
  transcript?.turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls)) ?? [];

const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'interrupted']);

const isSettled = (transcript: CanonicalTranscript): boolean =>
  transcript.turns.length > 0 &&
  transcript.turns.every(({ status }) => ended.has(status)) &&
  callsOf(transcript).every(({ outcome }) => outcome !== null);
