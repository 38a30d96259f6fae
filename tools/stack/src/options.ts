import { join, resolve } from 'node:path';
import { stackLimits } from './limits';
import type { Instances, StackLayout, Variables } from './plan';
import { reservePorts, type Reservation } from './plan/free-ports';

/** The repository's root, from `src` as from `dist`. */
export const root = resolve(__dirname, '..', '..', '..');

export type StackEvent =
  | {
      readonly ended: {
        readonly name: string;
        readonly pid: number;
        readonly code: number | null;
        readonly signal: string | null;
      };
    }
  | { readonly started: { readonly name: string; readonly pid: number } };

export interface StackOptions {
  /** Folder that keeps what the store, the broker and the logs need; made if missing. */
  readonly data: string;
  /** Where ports begin; `free` looks for a base whose ports nobody holds. */
  readonly portBase?: number | 'free';
  readonly orchestrators?: number;
  readonly executors?: number;
  readonly approvals?: number;
  /** Where `apps` with its built mains lies; the repository where nothing is said. */
  readonly root?: string;
  /** Configuration files; the examples where nothing is said. */
  readonly config?: string;
  readonly tools?: string;
  /** The environment that every process gets; usually `process.env` and what a test adds. */
  readonly env: Variables;
  /** More for single processes, by name. */
  readonly envOf?: { readonly [name: string]: Variables };
  /** `none`: nothing is started; each process begins when `start` or `launch` names it, in any order. */
  readonly begins?: 'all' | 'none';
  /** Start again whatever dies, without WRIT_CRASH_AT. */
  readonly restart?: boolean;
  /** A second place for the note of the running stack, beside the data folder's. */
  readonly note?: string;
  /** Ends the start: what was started by then is stopped. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: StackEvent) => void;
  readonly onLine?: (name: string, line: string) => void;
}

export function instancesOf({ orchestrators, executors, approvals }: StackOptions): Instances {
  return {
    'turn-orchestrator': orchestrators ?? 1,
    'tool-executor': executors ?? 1,
    'approval-service': approvals ?? 1,
  };
}

/** The ports that were asked for, or free ones that nobody else gets until they are released. */
export async function portsOf(options: StackOptions): Promise<Reservation | undefined> {
  if (options.portBase === 'free') return reservePorts(instancesOf(options));
  return { portBase: options.portBase ?? stackLimits.portBase.default, release: () => undefined };
}

export function layoutOf(options: StackOptions, portBase: number): StackLayout {
  return {
    root: options.root ?? root,
    data: resolve(options.data),
    portBase,
    instances: instancesOf(options),
    config: resolve(options.config ?? join(root, 'examples', 'writ.config.yaml')),
    tools: resolve(options.tools ?? join(root, 'examples', 'writ.tools.yaml')),
    env: options.env,
    envOf: options.envOf ?? {},
  };
}
