import { chaosLimits } from '../limits';
import { within } from '../world/eventually';
import { NeverHappened, type Scene, type TurnWish } from './scene';

export interface HeldOne {
  /** The call that its tool keeps inside. */
  readonly held: string;
  readonly sessionId: string;
  /** The executor that runs it. */
  readonly holder: string;
}

/** Begins the turns of a round, one of them with a call that stays inside its tool, and waits until it is there. */
export async function holdOne(
  scene: Scene,
  wish: NonNullable<TurnWish['held']>,
  turns: number,
): Promise<HeldOne> {
  const { crew, ledger } = scene.world;
  const { sessionId } = await scene.begin({ held: wish });
  await scene.beginMany(turns - 1);
  const { callId } = await scene.call(sessionId, ({ tool }) => tool === wish.tool);
  const inside = (): boolean =>
    wish.hold === 'before' ? ledger.arrived(callId) : ledger.effectsOf(callId).raw > 0;
  const holder = await within(chaosLimits.settleMs, () => (inside() ? crew.holderOf(callId) : undefined));
  if (holder === undefined) throw new NeverHappened('a call that was to be held was never started');
  return { held: callId, sessionId, holder };
}
