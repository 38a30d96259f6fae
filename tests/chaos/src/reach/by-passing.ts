import { chaosLimits } from '../limits';
import { serviceAt } from '../points';
import type { Scene } from '../rounds/scene';
import { crashAtOf, type Standing } from '../world/crew';
import { within } from '../world/eventually';
import type { Reached, Standpoint, Ways } from './reached';

/** The process ends or stops itself at its named point; turns are begun until it has. */
export async function reachByPassing(scene: Scene, at: Standpoint, ways: Ways): Promise<Reached> {
  const { world } = scene;
  const { crew } = world;
  const victim = crew.nth(serviceAt(at.point), at.victim);
  await crew.stand(castFor(scene, at, ways));
  world.prefer(victim);

  const begun: Promise<unknown>[] = [];
  const interrupted: string[] = [];
  const isThere = (): boolean => crew.isAt(victim, at.point, ways.ends);
  for (let tries = 0; tries < chaosLimits.passTries && !isThere(); tries += 1) {
    const beginning = heardOf(beginFor(scene, at, { turns: ways.turns, interrupted }));
    begun.push(beginning);
    const arrives = (withinMs: number) => within(withinMs, () => (isThere() ? true : undefined));
    // A second turn to be interrupted begins only where the first was interrupted in vain.
    if (at.point === 'H4')
      await Promise.race([beginning.catch(() => undefined), arrives(chaosLimits.settleMs)]);
    await arrives(chaosLimits.passMs);
  }
  const isStopped = isThere() && ways.ends === 'stands';
  if (isStopped) crew.stopped(victim);
  return {
    name: victim,
    isHit: isThere() && isReal(scene, victim, at),
    isStopped,
    at: performance.now(),
    interrupted,
    begun: heardOf(Promise.all(begun)),
    recover: (recovery) => crew.revive(...(recovery === 'restart' ? [victim] : crew.others(victim))),
  };
}

/** Who heals is cast from the start: nobody but the dead one's own restart, or all others. Of approval services one works. */
function castFor(
  { world: { crew } }: Scene,
  { point, victim: which }: Standpoint,
  { ends, isAlone }: Ways,
): Map<string, Standing> {
  const victim = crew.nth(serviceAt(point), which);
  // The request at the first pass, a decision at a later one.
  const pass = point === 'P1' && which > 1 ? 3 : 1;
  const away = isAlone || victim.startsWith('approval-service') ? crew.others(victim) : [];
  return new Map<string, Standing>([
    [victim, { crashAt: crashAtOf(point, ends, pass) }],
    ...away.map((name) => [name, 'away'] as const),
  ]);
}

async function beginFor(
  scene: Scene,
  { point }: Standpoint,
  { turns, interrupted }: { readonly turns: number; readonly interrupted: string[] },
): Promise<void> {
  if (point === 'H4') return interruptOne(scene, interrupted);
  await scene.beginMany(turns, { unanswered: point === 'P4', readsLast: point === 'K5' });
}

/** A call waits for a person when the turn is interrupted: its owner abandons it. */
async function interruptOne(scene: Scene, interrupted: string[]): Promise<void> {
  const { client } = scene.world;
  const sessionId = await client.openSession();
  scene.ungranted.add(sessionId);
  interrupted.push(sessionId);
  await scene.beginIn(sessionId);
  for (const tool of ['look', 'put', 'book', 'send'])
    await scene.call(sessionId, (call) => call.tool === tool && call.outcome !== null);
  await client.interrupt(sessionId);
}

/** For K5 a tool that has an effect had had it, with nothing of it committed. */
function isReal({ world }: Scene, victim: string, { point }: Standpoint): boolean {
  if (point !== 'K5') return true;
  const { crew, ledger } = world;
  const committed = crew.said(victim, 'call_committed').map(callIn);
  return crew
    .said(victim, 'tool_started')
    .filter((line) => !line.includes('"tool":"look"'))
    .map(callIn)
    .some((callId) => !committed.includes(callId) && ledger.effectsOf(callId).raw > 0);
}

const callIn = (line: string): string => /"callId":"([^"]+)"/.exec(line)?.[1] ?? '';

/** What fails before anybody waits for it is told to whoever waits, and to nobody else. */
function heardOf<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
