import { join } from 'node:path';
import type { Service } from '@writ/contracts';
import { addressesOf, host, servicePort, services, storePort, type Instances } from './addresses';
import { crashServiceOf } from './crash-point';
import type { Program } from './nats';

export type Variables = { readonly [name: string]: string | undefined };

/** How to see that a process can be used. */
export type Sign =
  { readonly kind: 'port'; readonly port: number } | { readonly kind: 'http'; readonly url: string };

export interface ProcessPlan {
  readonly name: string;
  readonly kind: 'store' | 'service';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Variables;
  readonly ready: Sign;
}

export interface StackLayout {
  /** The repository's root, where the built apps lie. */
  readonly root: string;
  readonly data: string;
  readonly portBase: number;
  readonly instances: Instances;
  readonly config: string;
  readonly tools: string;
  /** The environment of every process; what the stack decides itself is put over it. */
  readonly env: Variables;
  /** More for single processes, by name: a crash point for one of two executors. */
  readonly envOf: { readonly [name: string]: Variables };
}

/** Every process of a stack: its command, its environment and how to see that it is ready. */
export function planProcesses(layout: StackLayout, nats: Program): readonly ProcessPlan[] {
  const ofServices = services.flatMap((service) =>
    Array.from({ length: layout.instances[service] }, (_, index) => planService(layout, service, index + 1)),
  );
  return [planNats(layout, nats), planEventStore(layout), ...ofServices];
}

function planNats(layout: StackLayout, { command, args }: Program): ProcessPlan {
  const port = storePort(layout.portBase, 'nats');
  return {
    name: 'nats-server',
    kind: 'store',
    command,
    args,
    env: layout.env,
    ready: { kind: 'port', port },
  };
}

function planEventStore(layout: StackLayout): ProcessPlan {
  const port = storePort(layout.portBase, 'eventStore');
  const args = ['--data', join(layout.data, 'eventstore'), '--port', String(port)];
  const faults = ['--fault-port', String(storePort(layout.portBase, 'faults'))];
  return {
    name: 'event-store',
    kind: 'store',
    ...nodeApp(layout, 'dev-event-store', [...args, ...faults]),
    env: { ...layout.env, ...layout.envOf['event-store'] },
    ready: { kind: 'port', port },
  };
}

function planService(layout: StackLayout, service: Service, index: number): ProcessPlan {
  const name = `${service}-${index}`;
  const port = servicePort(layout.portBase, service, index);
  const { eventstore, nats } = addressesOf(layout.portBase, layout.instances);
  const { WRIT_CRASH_AT: crashAt, ...env } = layout.env;
  return {
    name,
    kind: 'service',
    ...nodeApp(layout, service, []),
    env: {
      ...env,
      // A point that another service passes is one that this one would refuse to start with.
      ...(crashAt !== undefined && crashServiceOf(crashAt) === service ? { WRIT_CRASH_AT: crashAt } : {}),
      ...layout.envOf[name],
      WRIT_EVENTSTORE_URL: eventstore,
      WRIT_NATS_URL: nats,
      WRIT_HTTP_PORT: String(port),
      WRIT_INSTANCE_NAME: name,
      WRIT_STATE_DIR: join(layout.data, 'state', name),
      WRIT_CONFIG: layout.config,
      WRIT_TOOLS: layout.tools,
    },
    ready: { kind: 'http', url: `http://${host}:${port}/readyz` },
  };
}

/** Node itself, no npm or shell between: the pid is the program's own. */
function nodeApp(layout: StackLayout, app: string, args: readonly string[]): Program {
  return { command: process.execPath, args: [appMain(layout.root, app), ...args] };
}

export function appMain(root: string, app: string): string {
  return join(root, 'apps', app, 'dist', 'main.js');
}
