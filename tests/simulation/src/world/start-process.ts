import type { EventData, Service } from '@writ/contracts';
import {
  Instance,
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
import type { Blow } from './kill-points';
import { entropyOf } from './random';
import { SimProcess } from './sim-process';
import { wiredBus, type WiredBus } from './wired-bus';
import { witnessedBus } from './witness';
import type { World } from './world';

/** A place in the fleet: a service's name on a host, whatever process runs under it now. */
export interface Place {
  readonly service: Service;
  readonly name: string;
  /** Its name, or for a clone one of its own: what nobody but the simulation knows it by. */
  readonly label: string;
  readonly host: string;
  skewMs: number;
  readonly monotonicFromMs: number;
  /** What its state directory holds; survives the process. */
  readonly file: StateFile;
  starts: number;
  /** Until when nobody starts it again, in virtual ms. */
  awayUntilMs: number;
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
  readonly bus: WiredBus;
  readonly probe: InstanceProbe;
  readonly started: EventData<'InstanceStarted'>;
}

export function startProcess(world: World, place: Place, toolHost?: SimProcess): Started {
  place.starts += 1;
  const label = `${place.label}/${place.starts}`;
  const process = newProcess(world, place, label);
  const entropy = entropyOf(world.random.fork(label));
  const { log: memoryLog, scheduler, faults, trace } = world;
  const lost = (type: string): void => world.note(`race lost ${type}`);
  const disk = openDisk({ log: memoryLog, scheduler, faults, process, entropy, lost });
  const log = trace.logOf(label, {
    lives: () => !process.isDead,
    threw: (problem) => world.thrown.push(problem),
  });
  const bus = world.broker.connect({ log });
  process.onDeath(() => void bus.close());
  const socket = `${label}.sock`;
  world.sockets.set(socket, process);
  if (toolHost !== undefined) world.sockets.set(`${socket}.tools`, toolHost);
  const crash = world.killPoints.portOf(process, (point, blow) => {
    trace.say(label, blow === 'kill' ? 'KILLED_AT' : 'FROZEN_AT', { point });
    faults.note(`${blow}_at_point`);
    strike(world, { process, group: toolHost }, blow);
  });
  return {
    place,
    process,
    disk,
    edge: { store: disk.store, clock: process.clock, entropy, log, crash },
    bus: witnessedBus(wiredBus(bus, process, scheduler), world),
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

export interface Victim {
  readonly process: SimProcess;
  /** Its tools' process, which stands still with it, or does not. */
  readonly group?: SimProcess | undefined;
}

/** Ends a process, or lets it stand still until long after its lease has run out, which makes a zombie of it. */
export function strike(world: World, { process, group }: Victim, blow: Blow): void {
  if (blow === 'kill') return process.kill();
  const { scheduler, faults, trace } = world;
  const frozen = group !== undefined && faults.chance(0.5) ? [process, group] : [process];
  for (const one of frozen) one.freeze();
  const { leastMs, mostMs } = simulationLimits.zombie;
  scheduler.after(faults.whole(leastMs, mostMs), () => {
    trace.say(process.label, 'THAWED');
    for (const one of faults.chance(0.5) ? frozen : [...frozen].reverse()) one.thaw();
  });
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

export function instanceOf(
  world: World,
  { edge, probe, started, process }: Started,
  wishes: InstanceWishes,
): Instance {
  return new Instance({
    ...edge,
    probe,
    ttlMs: simulationLimits.ttlMs,
    started: { ...started, ...wishes.extra },
    onExtended: (until) => wishes.onExtended?.(until),
    onLost: () => wishes.onLost(),
    onLeaseEnded: () => wishes.onLeaseEnded(),
    onClone: () => {
      world.note('a clone went away by itself');
      process.kill();
    },
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
