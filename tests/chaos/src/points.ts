import type { Service } from '@writ/contracts';
import { crashPointsOf } from '@writ/runtime';

/** Half a batch committed: a moment inside a tool that no code passes. */
const executorPoints = [...crashPointsOf['tool-executor'], 'K8'] as const;
const orchestratorPoints = crashPointsOf['turn-orchestrator'];
const approvalPoints = crashPointsOf['approval-service'];

/** The kill points of the field reports, K8 among them, which is no point of any one process. */
export const pointNames = [...orchestratorPoints, ...executorPoints, ...approvalPoints] as const;
export type Point = (typeof pointNames)[number];

/** Points of an executor that takes over what another one held. */
export const heirPoints = ['H1', 'H2', 'H3'] as const satisfies Point[];
const standsAt: ReadonlyMap<Point, Service> = new Map<Point, Service>([
  ...orchestratorPoints.map((point) => [point, 'turn-orchestrator'] as const),
  ...executorPoints.map((point) => [point, 'tool-executor'] as const),
  ...approvalPoints.map((point) => [point, 'approval-service'] as const),
]);

/** Whose process it is that stands at a point. */
export const serviceAt = (point: Point): Service => standsAt.get(point) ?? 'tool-executor';

/** What can be killed or frozen while another process is held. */
export const targets = [
  'turn-orchestrator',
  'tool-executor',
  'approval-service',
  'event-store',
  'nats-server',
] as const;
export type Target = (typeof targets)[number];

/** Everything but the service that stands at the point. */
export const othersAt = (point: Point): readonly Target[] =>
  targets.filter((target) => target !== serviceAt(point));
