import { chaosLimits } from '../limits';
import type { RoundPlan } from '../plan';
import { within } from '../world/eventually';
import type { Crew, Standing } from '../world/crew';
import type { Harm } from './harm';
import { killHeir } from './kill-heir';
import { killHolder } from './kill-holder';
import type { Scene } from './scene';

export type KillPlan = Extract<RoundPlan, { kind: 'kill' }>;

/** A round in which one process dies at its kill point. */
export function killRound(scene: Scene, planned: KillPlan, turns: number): Promise<Harm> {
  const isOnly = scene.world.crew.names(serviceOfPoint(planned.point)).length === 1;
  const plan = isOnly ? { ...planned, recovery: 'restart' as const } : planned;
  switch (plan.point) {
    case 'K4c':
    case 'K8':
      return killHolder(scene, { ...plan, point: plan.point }, turns);
    case 'H1':
    case 'H2':
    case 'H3':
      return killHeir(scene, { ...plan, point: plan.point }, turns);
    default:
      return killAtPoint(scene, plan, turns);
  }
}

/** The process kills itself at its named point; turns are begun until it has. */
async function killAtPoint(scene: Scene, plan: KillPlan, turns: number): Promise<Harm> {
  const { world } = scene;
  const { crew, stack } = world;
  const victim = crew.nth(serviceOfPoint(plan.point), plan.victim);
  await crew.stand(castFor(crew, victim, plan));
  world.prefer(victim);

  const dead = stack.waitForExit(victim).then(() => performance.now());
  const beginnings: Promise<unknown>[] = [];
  const interrupted: string[] = [];
  let at: number | undefined;
  for (let tries = 0; tries < chaosLimits.passTries && at === undefined; tries += 1) {
    beginnings.push(beginFor(scene, plan, { turns, interrupted }));
    at = await within(chaosLimits.passMs, () => Promise.race([dead, pause()]));
  }
  const hits = at !== undefined && isHit(scene, victim, plan) ? [plan.point] : [];
  await recover(crew, victim, plan);
  await Promise.all(beginnings);
  return { hits, interrupted, ...(at === undefined ? {} : { killed: { at, recovery: plan.recovery } }) };
}

/** Who heals is cast from the start: nobody but the dead one's own restart, or all others. Of approval services one works. */
function castFor(
  crew: Crew,
  victim: string,
  { point, recovery, victim: which }: KillPlan,
): Map<string, Standing> {
  // The request at the first pass, a decision at a later one.
  const crashAt = point === 'P1' && which > 1 ? `${point}:3` : point;
  const isAlone = recovery === 'restart' || victim.startsWith('approval-service');
  const away = isAlone ? crew.others(victim) : [];
  return new Map<string, Standing>([[victim, { crashAt }], ...away.map((name) => [name, 'away'] as const)]);
}

async function recover(crew: Crew, victim: string, { recovery }: KillPlan): Promise<void> {
  await crew.revive(...(recovery === 'restart' ? [victim] : crew.others(victim)));
}

async function beginFor(
  scene: Scene,
  { point }: KillPlan,
  { turns, interrupted }: { readonly turns: number; readonly interrupted: string[] },
): Promise<void> {
  if (point === 'H4') return interruptOne(scene, interrupted);
  await scene.beginMany(turns, { unanswered: point === 'P4' });
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

/** It died there; for K5 a tool of its had had its effect, with nothing of it committed. */
function isHit(scene: Scene, victim: string, { point }: KillPlan): boolean {
  const { crew, ledger, stack } = scene.world;
  if (!crew.diedAt(victim, point)) return false;
  if (point !== 'K5') return true;
  const said = (event: string): readonly string[] =>
    stack.output(victim).filter((line) => line.includes(`"event":"${event}"`));
  const committed = said('call_committed').map(callIn);
  const open = said('tool_started')
    .map(callIn)
    .filter((callId) => !committed.includes(callId));
  return open.some((callId) => ledger.effectsOf(callId).raw > 0);
}

const callIn = (line: string): string => /"callId":"([^"]+)"/.exec(line)?.[1] ?? '';

const pause = (): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), chaosLimits.pollMs));

function serviceOfPoint(point: KillPlan['point']) {
  if (point.startsWith('P')) return 'approval-service';
  return ['K0', 'K1', 'K2', 'K3', 'K9', 'H4'].includes(point) ? 'turn-orchestrator' : 'tool-executor';
}
