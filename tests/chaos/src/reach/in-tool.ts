import type { Scene } from '../rounds/scene';
import { holdOne } from '../rounds/hold-one';
import type { Reached, Standpoint, Ways } from './reached';

/** K4c: inside the tool, before its effect. K8: of a batch some results are committed, this call's is not. */
export async function reachInTool(
  scene: Scene,
  at: Standpoint & { readonly point: 'K4c' | 'K8' },
  { ends, isAlone, turns }: Ways,
): Promise<Reached> {
  const { crew, ledger } = scene.world;
  const only = isAlone ? crew.others(crew.nth('tool-executor', at.victim)) : [];
  await crew.stand(new Map(only.map((name) => [name, 'away'])));
  const hold = at.point === 'K4c' ? 'before' : 'after';
  const { held, holder, sessionId } = await holdOne(scene, { tool: at.held, hold }, turns);
  if (at.point === 'K8')
    await scene.call(sessionId, ({ callId, outcome }) => callId !== held && outcome !== null);
  if (ends === 'dies') await crew.kill(holder);
  return {
    name: holder,
    isHit: at.point === 'K8' || ledger.effectsOf(held).raw === 0,
    isStopped: false,
    at: performance.now(),
    interrupted: [],
    begun: Promise.resolve(),
    recover: (recovery) => crew.revive(...(recovery === 'restart' ? [holder] : crew.others(holder))),
  };
}
