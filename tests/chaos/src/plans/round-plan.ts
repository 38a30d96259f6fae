import type { Service } from '@writ/contracts';
import type { StoreFault } from '../config';
import type { Point, Target } from '../points';

/** `takeover`: the dead one stays away until all is settled; `restart`: it starts at once under its name, and nobody else can take over. */
export type Recovery = 'takeover' | 'restart';

export const writes = ['put', 'book', 'send'] as const;

export interface StoreFaultPlan {
  readonly fault: StoreFault;
  readonly on: 'append' | 'read' | 'subscribe';
  /** Of appends; any where none is named. */
  readonly eventType: string | undefined;
  readonly times: number;
}

/** What is wrong while others recover: one fault of the store, or no broker. */
export type Disturbance = StoreFaultPlan | 'no_broker';

export interface KillPlan {
  readonly kind: 'kill';
  readonly point: Point;
  readonly recovery: Recovery;
  readonly during?: Disturbance;
}
export interface HeldPlan {
  readonly kind: 'held';
  readonly point: Point;
  readonly struck: readonly Target[];
  /** Of what is struck: all its instances die and start again; one dies and the others go on; one is frozen and wakes. */
  readonly recovery: Recovery | 'wakes';
  /** What becomes of the one that was held. */
  readonly then: 'goes_on' | 'dies';
}
export interface FrozenPlan {
  readonly kind: 'frozen';
  readonly point: Point;
}
export interface SilentPlan {
  readonly kind: 'silent';
  readonly service: Service;
  readonly how: 'frozen' | 'cut_off';
}
export type StorePlan = { readonly kind: 'store' } & StoreFaultPlan;
export interface BrokerPlan {
  readonly kind: 'broker';
  readonly how: 'killed' | 'frozen';
}

export interface Choices {
  /** Counted from 1. */
  readonly round: number;
  /** The instance that is harmed, where there is a choice; counted from 1. */
  readonly victim: number;
  /** The tool whose call is held where one is. */
  readonly held: (typeof writes)[number];
  readonly hold: 'before' | 'after';
}
export type RoundPlan = Choices & (KillPlan | HeldPlan | FrozenPlan | SilentPlan | StorePlan | BrokerPlan);

/** The point that a process must really stand at, or the round did not do what it was for. */
export const pointOf = (plan: RoundPlan): Point | undefined => ('point' in plan ? plan.point : undefined);

/** Whether the store itself is harmed: the one thing that may keep a turn from being recorded (R2, R3). */
export function harmsStore(plan: RoundPlan): boolean {
  if (plan.kind === 'store') return true;
  if (plan.kind === 'held') return plan.struck.includes('event-store');
  if (plan.kind === 'kill') return plan.during !== undefined && plan.during !== 'no_broker';
  return plan.kind === 'silent' && plan.how === 'cut_off';
}

const faultOf = ({ fault, on, eventType, times }: StoreFaultPlan): string =>
  `${fault} on ${on}${on === 'append' && eventType !== undefined ? ` of ${eventType}` : ''} ${times}x`;

/** One line for a person. */
export function titleOf(plan: RoundPlan): string {
  switch (plan.kind) {
    case 'kill': {
      const { during } = plan;
      const more =
        during === undefined ? '' : during === 'no_broker' ? ', no broker' : `, ${faultOf(during)}`;
      return `killed at ${plan.point}, ${plan.recovery}${more}`;
    }
    case 'held': {
      const what = plan.recovery === 'wakes' ? 'frozen' : `killed (${plan.recovery})`;
      const then = plan.then === 'dies' ? ', which then dies' : '';
      return `${plan.struck.join(', ')} ${what} while one is held at ${plan.point}${then}`;
    }
    case 'frozen':
      return `frozen at ${plan.point}`;
    case 'silent':
      return `${plan.service}-${plan.victim} ${plan.how}`;
    case 'store':
      return `store: ${faultOf(plan)}`;
    case 'broker':
      return `broker ${plan.how}`;
  }
}
