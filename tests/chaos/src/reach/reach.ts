import type { Scene } from '../rounds/scene';
import { reachAsHeir } from './as-heir';
import { reachByPassing } from './by-passing';
import { reachInTool } from './in-tool';
import type { Reached, Standpoint, Ways } from './reached';

export function reach(scene: Scene, at: Standpoint, ways: Ways): Promise<Reached> {
  switch (at.point) {
    case 'K4c':
    case 'K8':
      return reachInTool(scene, { ...at, point: at.point }, ways);
    case 'H1':
    case 'H2':
    case 'H3':
      return reachAsHeir(scene, { ...at, point: at.point }, ways);
    default:
      return reachByPassing(scene, at, ways);
  }
}
