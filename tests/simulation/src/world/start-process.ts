import type { EventData, Service } from '@writ/contracts';
import {
  Instance,
  type Bus,
  type Clock,
  type CrashPoints,
  type Entropy,
  type EventStore,
  type InstanceProbe,
  type Log,
  type StateFile,
} from '@writ/runtime';
import { simulationLimits } from '../limits';
import { openDisk, type Disk } from './disk';
import { entropyOf } from './random';
import { SimProcess } from './sim-process';
import { wiredBus } from './wired-bus';
import type { World } from './world';

/** A place in the fleet: a service's name on a host, whatever process runs under it now. */
export interface Place {
  readonly service: Service;
  readonly name: string;
  readonly host: string;
  readonly skewMs: number;
  readonly monotonicFromMs: number;
  /** What its state directory holds; survives the process. */
  readonly file: StateFile;
  starts: number;
}

/** One started process with its ports, before its service is composed. */
export interface Started {
  readonly place: Place;
  readonly process: SimProcess;
  readonly disk: Disk;
  readonly edge: {
    readonly store: EventStore;
    readonly clock: Clock;
    readonly entropy: Entropy;
    readonly log: Log;
    readonly crash: CrashPoints;
  };
  readonly bus: Bus;
  readonly probe: InstanceProbe;
  readonly started: EventData<'InstanceStarted'>;
}

export function startProcess(world: World, place: Place, toolHost?: SimProcess): Started {
  place.starts += 1;
  const label = `${place.name}/${place.starts}`;
  const process = newProcess(world, place, label);
  const entropy = entropyOf(world.random.fork(label));
  const { log: memoryLog, scheduler, faults, trace } = world;
  const disk = openDisk({ log: memoryLog, scheduler, faults, process, entropy });
  const log = trace.logOf(label, {
    lives: () => !process.isDead,
    threw: (problem) => world.thrown.push(problem),
  });
  const bus = world.broker.connect({ log });
  process.onDeath(() => void bus.close());
  const socket = `${label}.sock`;
  world.sockets.set(socket, process);
  if (toolHost !== undefined) world.sockets.set(`${socket}.tools`, toolHost);
  const crash = world.killPoints.portOf(process, (point) => {
    trace.say(label, 'KILLED_AT', { point });
    faults.note('kill_at_point');
    process.kill();
  });
  return {
    place,
    process,
    disk,
    edge: { store: disk.store, clock: process.clock, entropy, log, crash },
    bus: wiredBus(bus, process),
    probe: probeOf(world, place, process),
    started: {
      service: place.service,
      name: place.name,
      version: '0.0.0',
      host: { name: place.host, bootId: place.host },
      pid: process.pid,
      sockets: { process: socket, ...(toolHost === undefined ? {} : { toolHost: `${socket}.tools` }) },
    },
  };
}

export function newProcess(world: World, place: Place, label: string): SimProcess {
  const { host, skewMs, monotonicFromMs } = place;
  const { scheduler } = world;
  return new SimProcess({ scheduler, label, host, pid: world.nextPid(), skewMs, monotonicFromMs });
}

export interface InstanceWishes {
  readonly extra?: { readonly pool: string; readonly slots: number };
  onExtended?(untilMs: number): void;
  onLost(): void;
  onLeaseEnded(): void;
}

export function instanceOf({ edge, probe, started, process }: Started, wishes: InstanceWishes): Instance {
  return new Instance({
    ...edge,
    probe,
    ttlMs: simulationLimits.ttlMs,
    started: { ...started, ...wishes.extra },
    onExtended: (until) => wishes.onExtended?.(until),
    onLost: () => wishes.onLost(),
    onLeaseEnded: () => wishes.onLeaseEnded(),
    onClone: () => process.kill(),
  });
}

function probeOf(world: World, { host }: Place, process: SimProcess): InstanceProbe {
  const refuses = (socket: string | undefined): boolean =>
    socket === undefined || (world.sockets.get(socket)?.isDead ?? true);
  return {
    probe: async (of) => {
      if (of.host.name !== host) return process.answer('unknown' as const);
      const isGone = refuses(of.sockets.process) && refuses(of.sockets.toolHost);
      return process.answer(isGone ? ('gone' as const) : ('alive' as const));
    },
  };
}
