import type { CanonicalCall, CanonicalTranscript } from '@writ/contracts';
import type { CallFacts, RoundFacts } from '../checks/facts';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import { NeverAnswered } from '../world/client';
import { auditFindings, successionOf } from '../world/record';
import type { World } from '../world/world';
import type { RoundPlan } from '../plans';
import type { Harm } from './harm';
import { heldRound } from './held';
import { killRound } from './kill';
import { brokerRound, storeRound } from './outage';
import { callsOf, NeverHappened, Scene } from './scene';
import { frozenRound, silenceRound } from './silence';

/** One round: turns under harm, healing, everything settled, and then what is on record and what was seen outside. */
export async function runRound(world: World, plan: RoundPlan, config: ChaosConfig): Promise<RoundFacts> {
  const scene = new Scene(world, plan);
  try {
    const harm = await harmed(scene, plan, config);
    const transcripts = await scene.settled();
    const settledMs = harm.killed === undefined ? undefined : performance.now() - harm.killed.at;
    const executorLives = world.crew.alive('tool-executor').length > 0;
    const isSilent = wasSilent(plan, harm, config);
    const facts = { plan, harm, executorLives, isSilent, thrown: world.thrown.splice(0) };
    if (transcripts === undefined) return { ...facts, ...(await unsettled(scene)) };
    return {
      ...facts,
      ...(await seenIn(world, transcripts)),
      ...(settledMs === undefined ? {} : { settledMs }),
      settled: true,
      findings: await audited(world, scene),
    };
  } catch (error) {
    if (!(error instanceof NeverAnswered || error instanceof NeverHappened)) throw error;
    const facts = { plan, harm: {}, executorLives: false, isSilent: false, thrown: world.thrown.splice(0) };
    return { ...facts, ...(await unsettled(scene)), stuck: error.message };
  } finally {
    await scene.close();
  }
}

function wasSilent(plan: RoundPlan, { silentMs = 0 }: Harm, { leaseTtlMs }: ChaosConfig): boolean {
  const isMeant = plan.kind === 'silent' || plan.kind === 'frozen';
  return isMeant || silentMs >= leaseTtlMs * chaosLimits.silentShare;
}

function harmed(scene: Scene, plan: RoundPlan, config: ChaosConfig): Promise<Harm> {
  switch (plan.kind) {
    case 'kill':
      return killRound(scene, plan, config.turns);
    case 'held':
      return heldRound(scene, plan, config);
    case 'frozen':
      return frozenRound(scene, plan, config);
    case 'silent':
      return silenceRound(scene, plan, config);
    case 'store':
      return storeRound(scene, plan, config);
    case 'broker':
      return brokerRound(scene, plan, config);
  }
}

async function unsettled(scene: Scene) {
  const seen = await seenIn(scene.world, await scene.transcripts());
  return { ...seen, settled: false, findings: [] };
}

async function audited(world: World, scene: Scene): Promise<RoundFacts['findings']> {
  const found = await Promise.all(scene.turns.map(({ sessionId }) => auditFindings(world.store, sessionId)));
  return found.flat();
}

async function seenIn(
  world: World,
  transcripts: readonly CanonicalTranscript[],
): Promise<Pick<RoundFacts, 'turns' | 'calls'>> {
  const turns = transcripts.flatMap(({ sessionId, turns: all }) =>
    all.map(({ turnId, status, failure }) => ({
      sessionId,
      turnId,
      status,
      ...(failure === undefined ? {} : { code: failure.code }),
    })),
  );
  const calls = transcripts.flatMap((transcript) =>
    callsOf(transcript).map((call) => factsOf(world, transcript.sessionId, call)),
  );
  return { turns, calls: await Promise.all(calls) };
}

async function factsOf(
  { ledger, store }: World,
  sessionId: string,
  { callId, tool, effectClass, outcome, effect, epochs }: CanonicalCall,
): Promise<CallFacts> {
  const succession = epochs.length > 1 ? await successionOf(store, callId) : { takeovers: [], readbacks: [] };
  return {
    sessionId,
    callId,
    tool: tool ?? '',
    effectClass: effectClass ?? 'irreversible',
    outcome,
    effect,
    ...succession,
    seen: ledger.effectsOf(callId),
  };
}
