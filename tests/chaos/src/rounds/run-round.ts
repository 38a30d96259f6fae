import type { CanonicalTranscript } from '@writ/contracts';
import type { RoundFacts } from '../checks/facts';
import type { ChaosConfig } from '../config';
import { NeverAnswered } from '../world/client';
import { auditFindings } from '../world/record';
import type { World } from '../world/world';
import type { RoundPlan } from '../plan';
import type { Harm } from './harm';
import { killRound } from './kill';
import { killOthers } from './kill-others';
import { brokerRound, storeRound } from './outage';
import { NeverHappened, Scene } from './scene';
import { silenceRound } from './silence';

/** One round: turns under harm, healing, everything settled, and then what is on record and what was seen outside. */
export async function runRound(world: World, plan: RoundPlan, config: ChaosConfig): Promise<RoundFacts> {
  const scene = new Scene(world, plan);
  try {
    const harm = await harmed(scene, plan, config);
    const transcripts = await scene.settled();
    const settledMs = harm.killed === undefined ? undefined : performance.now() - harm.killed.at;
    const executorLives = world.crew.alive('tool-executor').length > 0;
    const facts = { plan, harm, executorLives, thrown: world.thrown.splice(0) };
    if (transcripts === undefined) return { ...facts, ...(await unsettled(scene)) };
    return {
      ...facts,
      ...seenIn(world, transcripts),
      ...(settledMs === undefined ? {} : { settledMs }),
      settled: true,
      findings: await audited(world, scene),
    };
  } catch (error) {
    if (!(error instanceof NeverAnswered || error instanceof NeverHappened)) throw error;
    const facts = {
      plan,
      harm: { hits: [] },
      executorLives: false,
      thrown: world.thrown.splice(0),
    };
    return { ...facts, ...(await unsettled(scene)), stuck: error.message };
  } finally {
    await scene.close();
  }
}

function harmed(scene: Scene, plan: RoundPlan, config: ChaosConfig): Promise<Harm> {
  switch (plan.kind) {
    case 'kill':
      return killRound(scene, plan, config.turns);
    case 'others':
      return killOthers(scene, plan, config.turns);
    case 'silent':
      return silenceRound(scene, plan, config);
    case 'store':
      return storeRound(scene, plan, config);
    case 'broker':
      return brokerRound(scene, plan, config);
  }
}

async function unsettled(scene: Scene) {
  return { ...seenIn(scene.world, await scene.transcripts()), settled: false, findings: [] };
}

async function audited(world: World, scene: Scene): Promise<RoundFacts['findings']> {
  const found = await Promise.all(scene.turns.map(({ sessionId }) => auditFindings(world.store, sessionId)));
  return found.flat();
}

function seenIn(
  { ledger }: World,
  transcripts: readonly CanonicalTranscript[],
): Pick<RoundFacts, 'turns' | 'calls'> {
  const turns = transcripts.flatMap(({ sessionId, turns: all }) =>
    all.map(({ turnId, status, failure }) => ({
      sessionId,
      turnId,
      status,
      ...(failure === undefined ? {} : { code: failure.code }),
    })),
  );
  const calls = transcripts.flatMap(({ sessionId, turns: all }) =>
    all
      .flatMap(({ steps }) => steps.flatMap((step) => step.calls))
      .map(({ callId, tool, effectClass, outcome, effect, epochs }) => ({
        sessionId,
        callId,
        tool: tool ?? '',
        effectClass: effectClass ?? 'irreversible',
        outcome,
        effect,
        takenOver: epochs.length > 1,
        seen: ledger.effectsOf(callId),
      })),
  );
  return { turns, calls };
}
