import type { Service } from '@writ/contracts';
import type { ChaosConfig, Kind, Point, StoreFault } from './config';
import { chaosLimits } from './limits';
import { drawsFrom, type Draws } from './seeded';

/** `takeover`: the dead one stays away until all is settled; `restart`: it starts at once under its name, and nobody else can take over. */
export type Recovery = 'takeover' | 'restart';

/** Points at which a process can be held while all others die: by a fault of the store, or inside a tool. */
export const heldPoints = ['K1', 'K4a', 'K4c', 'K5', 'K6', 'P1'] as const;
export type HeldPoint = (typeof heldPoints)[number];

const writes = ['put', 'book', 'send'] as const;
const faultyEvents = [
  'AssistantMessageRecorded',
  'ToolCallStaged',
  'ToolExecutionStarted',
  'ToolResultCommitted',
  'ApprovalRequested',
  'ApprovalGranted',
  'TurnCompleted',
] as const;
const silenced = ['tool-executor', 'turn-orchestrator', 'approval-service'] as const satisfies Service[];

export type RoundPlan = {
  /** Counted from 1. */
  readonly round: number;
  /** The instance that is harmed, where there is a choice; counted from 1. */
  readonly victim: number;
  /** The tool whose call is held where one is. */
  readonly held: (typeof writes)[number];
  readonly hold: 'before' | 'after';
} & (
  | { readonly kind: 'kill'; readonly point: Point; readonly recovery: Recovery }
  | { readonly kind: 'others'; readonly point: HeldPoint }
  | { readonly kind: 'silent'; readonly service: Service; readonly how: 'frozen' | 'cut_off' }
  | {
      readonly kind: 'store';
      readonly fault: StoreFault;
      readonly on: 'append' | 'read' | 'subscribe';
      readonly eventType: string;
      readonly times: number;
    }
  | { readonly kind: 'broker' }
);

/** Rounds of one pass through the matrix beside its kill points. */
const perPass: { readonly [kind in Exclude<Kind, 'kill'>]: number } = {
  others: 3,
  silent: 3,
  store: 4,
  broker: 1,
};

/** All rounds, pass after pass: each pass holds every kill point once, shuffled, its recovery turned each time. */
export function planRounds(seed: number, rounds: number, config: ChaosConfig): readonly RoundPlan[] {
  const draws = drawsFrom(seed);
  const plans: RoundPlan[] = [];
  for (let pass = 0; plans.length < rounds; pass += 1) {
    for (const make of draws.shuffled(slotsOf(pass, config, draws)))
      if (plans.length < rounds) plans.push(make(plans.length + 1));
  }
  return plans;
}

type Slot = (round: number) => RoundPlan;

function slotsOf(pass: number, config: ChaosConfig, draws: Draws): readonly Slot[] {
  const common = (round: number) => ({
    round,
    victim: 1 + draws.below(2),
    held: draws.pick(writes),
    hold: draws.pick(['before', 'after'] as const),
  });
  /** `nth` counts through all passes, so that whatever there is to choose from is taken in turn. */
  const many = (kind: Exclude<Kind, 'kill'>, slot: (nth: number) => Slot): readonly Slot[] =>
    config.kinds.includes(kind)
      ? Array.from({ length: perPass[kind] }, (_, index) => slot(pass * perPass[kind] + index))
      : [];
  const kills = config.kinds.includes('kill') ? config.points : [];
  return [
    ...kills.map((point, index): Slot => {
      const recovery = (pass + index) % 2 === 0 ? 'takeover' : 'restart';
      return (round) => ({ ...common(round), kind: 'kill', point, recovery });
    }),
    ...many('others', (nth) => (round) => ({
      ...common(round),
      kind: 'others',
      point: inTurn(heldPoints, nth),
    })),
    ...many('silent', (nth) => (round) => ({
      ...common(round),
      kind: 'silent',
      service: inTurn(silenced, nth),
      how: draws.pick(['frozen', 'cut_off']),
    })),
    ...many('store', (nth) => (round) => ({
      ...common(round),
      kind: 'store',
      ...storeFault(config.storeFaults[nth % config.storeFaults.length] ?? 'hold', draws),
    })),
    ...many('broker', () => (round) => ({ ...common(round), kind: 'broker' })),
  ];
}

const inTurn = <T>(of: readonly [T, ...T[]], nth: number): T => of[nth % of.length] ?? of[0];

/** What a read or a subscription can suffer is less than what an append can (interfaces.md, the embedded store). */
function storeFault(fault: StoreFault, draws: Draws) {
  const ofAppends = fault === 'store_then_drop_ack' || fault === 'store_then_wrong_version';
  return {
    fault,
    on: ofAppends
      ? ('append' as const)
      : draws.pick(['append', 'append', 'append', 'read', 'subscribe'] as const),
    eventType: draws.pick(faultyEvents),
    times: 1 + draws.below(chaosLimits.faultTimes),
  };
}

/** One line for a person. */
export function titleOf(plan: RoundPlan): string {
  switch (plan.kind) {
    case 'kill':
      return `kill at ${plan.point}, ${plan.recovery}`;
    case 'others':
      return `the others killed while one is held at ${plan.point}`;
    case 'silent':
      return `${plan.service}-${plan.victim} ${plan.how}`;
    case 'store':
      return `store: ${plan.fault} on ${plan.on}${plan.on === 'append' ? ` of ${plan.eventType}` : ''} ${plan.times}x`;
    case 'broker':
      return 'broker killed and started again';
  }
}
