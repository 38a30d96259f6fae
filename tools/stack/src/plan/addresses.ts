import type { Service } from '@writ/contracts';

export const host = '127.0.0.1';

/** Offsets from the port base; a further instance of a service lies 10 above the one before. */
const offsets = { 'turn-orchestrator': 1, 'tool-executor': 2, 'approval-service': 3 } as const;
const storeOffsets = { eventStore: 4, faults: 5, nats: 6 } as const;
const instanceStep = 10;

export const services = [
  'turn-orchestrator',
  'tool-executor',
  'approval-service',
] as const satisfies Service[];

/** How many instances of each service. */
export type Instances = { readonly [service in Service]: number };

export interface Addresses {
  /** Bases without a trailing slash; absent where there is no instance. */
  readonly orchestrator?: string;
  readonly executor?: string;
  readonly approvals?: string;
  readonly eventstore: string;
  /** The fault interface is `<faults>/faults`. */
  readonly faults: string;
  readonly nats: string;
}

export function servicePort(base: number, service: Service, index: number): number {
  return base + offsets[service] + instanceStep * (index - 1);
}

export function storePort(base: number, which: keyof typeof storeOffsets): number {
  return base + storeOffsets[which];
}

export function addressesOf(base: number, instances: Instances): Addresses {
  const url = (service: Service): string => `http://${host}:${servicePort(base, service, 1)}`;
  return {
    ...(instances['turn-orchestrator'] > 0 ? { orchestrator: url('turn-orchestrator') } : {}),
    ...(instances['tool-executor'] > 0 ? { executor: url('tool-executor') } : {}),
    ...(instances['approval-service'] > 0 ? { approvals: url('approval-service') } : {}),
    eventstore: `esdb://${host}:${storePort(base, 'eventStore')}?tls=false`,
    faults: `http://${host}:${storePort(base, 'faults')}`,
    nats: `nats://${host}:${storePort(base, 'nats')}`,
  };
}

export interface NeededPort {
  readonly port: number;
  /** For a person: whose it is. */
  readonly owner: string;
}

export function neededPorts(base: number, instances: Instances): readonly NeededPort[] {
  const ofServices = services.flatMap((service) =>
    Array.from({ length: instances[service] }, (_, index) => ({
      port: servicePort(base, service, index + 1),
      owner: `${service}-${index + 1}`,
    })),
  );
  return [
    ...ofServices,
    { port: storePort(base, 'eventStore'), owner: 'event-store' },
    { port: storePort(base, 'faults'), owner: "event-store's fault interface" },
    { port: storePort(base, 'nats'), owner: 'nats-server' },
  ];
}
