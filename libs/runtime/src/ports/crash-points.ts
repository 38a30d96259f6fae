import type { Service } from '@writ/contracts';

/**
 * Named crash points, shared by code, simulation and chaos (field-reports.md, kill points): which service's process
 * passes which. K4c is a moment inside a tool, where a tool host may pass it; K8 is a state of a batch and no point of code.
 */
export const crashPointsOf = {
  'turn-orchestrator': ['K0', 'K1', 'K2', 'K3', 'K9', 'H4'],
  'tool-executor': ['K4', 'K4a', 'K4b', 'K4c', 'K5', 'K6', 'K7', 'H1', 'H2', 'H3'],
  'approval-service': ['P0', 'P1', 'P2', 'P3', 'P4'],
} as const satisfies { readonly [service in Service]: readonly string[] };

export type CrashPoint = (typeof crashPointsOf)[Service][number];
