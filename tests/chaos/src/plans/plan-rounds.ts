import type { Service } from '@writ/contracts';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import { othersAt, type Point } from '../points';
import { drawsFrom, type Draws } from '../seeded';
import {
  writes,
  type Choices,
  type Disturbance,
  type HeldPlan,
  type RoundPlan,
  type StoreFaultPlan,
} from './round-plan';

const faultyEvents = [
  'AssistantMessageRecorded',
  'ToolCallStaged',
  'ToolExecutionStarted',
  'ToolResultCommitted',
  'ApprovalRequested',
  'ApprovalGranted',
  'TurnCompleted',
] as const;
/** What is appended by those who start again or take over: some of it in every recovery, so any append as often as one type. */
const recoveryEvents = [
  undefined,
  undefined,
  'LeaseEnded',
  'ToolExecutionTakenOver',
  'ToolResultCommitted',
  'TurnCompleted',
] as const;
const silenced = ['tool-executor', 'turn-orchestrator', 'approval-service'] as const satisfies Service[];

/** Rounds of a pass that stand at no kill point; in eight passes each of its kinds has its turn. */
const extras = ['silent', 'store', 'store_or_broker'] as const;

/**
 * All rounds, pass after pass. A pass holds every kill point once, shuffled, each with another of eight harms than the pass
 * before: killed there and recovered both ways, killed there with a fault besides, frozen there, and held there while each
 * of the four others is struck. So two hundred rounds hold the whole product of points and harms once.
 */
export function planRounds(seed: number, rounds: number, config: ChaosConfig): readonly RoundPlan[] {
  const draws = drawsFrom(seed);
  const plans: RoundPlan[] = [];
  for (let pass = 0; plans.length < rounds; pass += 1) {
    for (const make of draws.shuffled(slotsOf(pass, config, draws)))
      if (plans.length < rounds) plans.push(make(plans.length + 1));
  }
  return plans;
}

/** Each point by its own service and once more with all the others killed together: every pair at least once, in little time. */
export function planEachPair(seed: number, config: ChaosConfig): readonly RoundPlan[] {
  const draws = drawsFrom(seed);
  return config.points
    .flatMap((point, index): Harmful[] => [
      { kind: 'kill', point, recovery: index % 2 === 0 ? 'takeover' : 'restart' },
      { kind: 'held', point, struck: othersAt(point), recovery: 'restart', then: 'goes_on' },
    ])
    .map((harm, index) => ({ ...choices(index + 1, draws), ...harm }));
}

type Harmful = RoundPlan extends infer Each
  ? Each extends Choices
    ? Omit<Each, keyof Choices>
    : never
  : never;
type Slot = (round: number) => RoundPlan;

const choices = (round: number, draws: Draws): Choices => ({
  round,
  victim: 1 + draws.below(2),
  held: draws.pick(writes),
  hold: draws.pick(['before', 'after'] as const),
});

function slotsOf(pass: number, config: ChaosConfig, draws: Draws): readonly Slot[] {
  const atPoints = config.points.flatMap((point, index): Harmful[] => {
    const harms = harmsAt(point, index, { config, draws });
    const harm = harms[(pass + index) % harms.length];
    return harm === undefined ? [] : [harm];
  });
  const elsewhere = extras.flatMap((extra): Harmful[] => {
    const harm = extraOf(extra, pass, { config, draws });
    return config.kinds.includes(harm.kind) ? [harm] : [];
  });
  return [...atPoints, ...elsewhere].map((harm) => (round) => ({ ...choices(round, draws), ...harm }));
}

interface Given {
  readonly config: ChaosConfig;
  readonly draws: Draws;
}

const recoveries = ['restart', 'takeover', 'wakes'] as const satisfies HeldPlan['recovery'][];

function harmsAt(point: Point, index: number, { config, draws }: Given): readonly Harmful[] {
  const harms: readonly Harmful[] = [
    { kind: 'kill', point, recovery: 'takeover' },
    { kind: 'kill', point, recovery: 'restart' },
    {
      kind: 'kill',
      point,
      recovery: index % 2 === 0 ? 'restart' : 'takeover',
      during: disturbance(config, draws),
    },
    { kind: 'frozen', point },
    ...othersAt(point).map((target, nth): Harmful => {
      const then = (index + nth) % 2 === 0 ? 'goes_on' : 'dies';
      return { kind: 'held', point, struck: [target], recovery: inTurn(recoveries, index + nth), then };
    }),
  ];
  return harms.filter(({ kind }) => config.kinds.includes(kind));
}

function extraOf(extra: (typeof extras)[number], pass: number, given: Given): Harmful {
  const { config, draws } = given;
  const fault = config.storeFaults[pass % config.storeFaults.length] ?? 'hold';
  if (extra === 'silent') {
    const how = pass % 2 === 0 ? 'frozen' : 'cut_off';
    return { kind: 'silent', service: inTurn(silenced, pass), how };
  }
  if (extra === 'store_or_broker' && pass % 2 === 1)
    return { kind: 'broker', how: pass % 4 === 1 ? 'killed' : 'frozen' };
  const other = config.storeFaults[(pass + 3) % config.storeFaults.length] ?? 'hold';
  return {
    kind: 'store',
    ...storeFault(extra === 'store' ? fault : other, { draws, eventTypes: faultyEvents }),
  };
}

function disturbance(config: ChaosConfig, draws: Draws): Disturbance {
  const [first = 'hold', ...rest] = config.storeFaults;
  const fault = draws.pick(['no_broker' as const, first, ...rest]);
  return fault === 'no_broker' ? fault : storeFault(fault, { draws, eventTypes: recoveryEvents });
}

const inTurn = <T>(of: readonly [T, ...T[]], nth: number): T => of[nth % of.length] ?? of[0];

/** What a read or a subscription can suffer is less than what an append can (interfaces.md, the embedded store). */
function storeFault(
  fault: StoreFaultPlan['fault'],
  {
    draws,
    eventTypes,
  }: { readonly draws: Draws; readonly eventTypes: readonly [string | undefined, ...(string | undefined)[]] },
): StoreFaultPlan {
  const ofAppends = fault === 'store_then_drop_ack' || fault === 'store_then_wrong_version';
  const drawn = draws.pick(['append', 'append', 'append', 'read', 'subscribe'] as const);
  return {
    fault,
    on: ofAppends ? 'append' : drawn,
    eventType: draws.pick(eventTypes),
    times: 1 + draws.below(chaosLimits.faultTimes),
  };
}
