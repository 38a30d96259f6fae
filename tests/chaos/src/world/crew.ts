import type { Service } from '@writ/contracts';
import type { Stack } from '@writ/stack';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import type { Point } from '../points';
import { within } from './eventually';
import { Links } from './links';

/**
 * How a process is to stand when a round begins: away, or running, with the crash point that it is to die or stop at, or
 * behind links that can be cut.
 */
export type Standing = 'away' | 'clean' | 'linked' | { readonly crashAt: string };

/** The service processes of a stack and how each of them stands. */
export class Crew {
  readonly links: Links;
  /** Processes that run otherwise than a clean one. */
  private readonly special = new Set<string>();
  private readonly frozen = new Set<string>();
  /** Lines that a process had said before the life that it has now. */
  private readonly saidBefore = new Map<string, number>();

  constructor(
    private readonly stack: Stack,
    private readonly services: ChaosConfig['services'],
  ) {
    this.links = new Links(stack.addresses);
  }

  names(service: Service): readonly string[] {
    const { orchestrators, executors, approvals } = this.services;
    const counts = {
      'turn-orchestrator': orchestrators,
      'tool-executor': executors,
      'approval-service': approvals,
    };
    return Array.from({ length: counts[service] }, (_, index) => `${service}-${index + 1}`);
  }

  all(): readonly string[] {
    return services.flatMap((service) => this.names(service));
  }

  /** Running and not frozen. */
  alive(service: Service): readonly string[] {
    return this.names(service).filter((name) => this.stack.isAlive(name) && !this.frozen.has(name));
  }

  freeze(name: string): void {
    this.frozen.add(name);
    this.stack.signal(name, 'SIGSTOP');
  }

  thaw(name: string): void {
    this.frozen.delete(name);
    this.stack.signal(name, 'SIGCONT');
  }

  /** It has stopped itself at its point; once it is woken it is as clean as any other. */
  stopped(name: string): void {
    this.frozen.add(name);
    this.special.delete(name);
  }

  /** The n-th instance of a service, counted from 1; the last one where there are fewer. */
  nth(service: Service, n: number): string {
    const names = this.names(service);
    return names[Math.min(n, names.length) - 1] ?? `${service}-1`;
  }

  others(name: string): readonly string[] {
    return this.names(serviceOf(name)).filter((other) => other !== name);
  }

  /** Base of its HTTP interface: a further instance lies ten ports above the one before. */
  base(name: string): string {
    const { orchestrator, executor, approvals } = this.stack.addresses;
    const first = {
      'turn-orchestrator': orchestrator,
      'tool-executor': executor,
      'approval-service': approvals,
    };
    const { hostname, port } = new URL(first[serviceOf(name)] ?? '');
    const index = Number(name.slice(name.lastIndexOf('-') + 1));
    return `http://${hostname}:${Number(port) + portStep * (index - 1)}`;
  }

  /** Brings every process to where it is to stand; those not named run clean. */
  async stand(wanted: ReadonlyMap<string, Standing>): Promise<void> {
    await Promise.all(this.all().map((name) => this.bring(name, wanted.get(name) ?? 'clean')));
  }

  async kill(...names: readonly string[]): Promise<void> {
    for (const name of names) this.frozen.delete(name);
    await Promise.all(names.map((name) => this.stack.kill(name)));
  }

  /** As an operator does: they release what they hold. */
  async stop(...names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.stack.stop(name)));
  }

  /** Starts clean whatever of these is away; usable when this resolves. */
  async revive(...names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.start(name)));
  }

  async start(name: string, standing: Exclude<Standing, 'away'> = 'clean'): Promise<void> {
    if (this.stack.isAlive(name)) return;
    if (standing === 'clean') this.special.delete(name);
    else this.special.add(name);
    this.saidBefore.set(name, this.stack.output(name).length);
    const changes = standing === 'linked' ? await this.links.environmentOf(name) : crashingAt(standing);
    await this.stack.launch(name, changes);
    // Armed, it may already have died of what it found to do.
    if (typeof standing === 'object') return this.armed(name);
    const wait = await this.stack.waitReady(name);
    if (wait !== 'ready')
      throw new Error(
        `${name} was started and is not ready: ${wait}\n${this.stack.output(name).slice(-8).join('\n')}`,
      );
  }

  /** Ready to go to its point, or already there. */
  private async armed(name: string): Promise<void> {
    let isThere = false;
    const ready = this.stack.waitReady(name).then(() => (isThere = true));
    const stopped = within(chaosLimits.settleMs, () =>
      isThere || this.said(name, 'crash_point').length > 0 ? true : undefined,
    );
    await Promise.race([ready, stopped]);
  }

  private reached(name: string, point: Point): boolean {
    return this.said(name, 'crash_point').some((line) => line.includes(`"point":"${point}"`));
  }

  /** It has come to its point and died there, or stands there. */
  isAt(name: string, point: Point, ends: 'dies' | 'stands'): boolean {
    return this.reached(name, point) && this.stack.isAlive(name) === (ends === 'stands');
  }

  /** What a process has said of an event in its newest life. */
  said(name: string, event: string): readonly string[] {
    const lines = this.stack.output(name).slice(this.saidBefore.get(name) ?? 0);
    return lines.filter((line) => line.includes(`"event":"${event}"`));
  }

  /** The executor that runs a call, by what it says itself. */
  holderOf(callId: string): string | undefined {
    return this.names('tool-executor').find((name) =>
      this.stack.output(name).some((line) => line.includes('"tool_started"') && line.includes(callId)),
    );
  }

  private async bring(name: string, wanted: Standing): Promise<void> {
    if (wanted !== 'clean' || this.special.has(name) || this.frozen.has(name)) await this.kill(name);
    if (wanted !== 'away') await this.start(name, wanted);
  }
}

/** WRIT_CRASH_AT for a process that is to die or to stand at the n-th pass of a point. */
export const crashAtOf = (point: Point, ends: 'dies' | 'stands', pass = 1): string =>
  `${point}${pass > 1 ? `:${pass}` : ''}${ends === 'stands' ? ':stop' : ''}`;

const crashingAt = (standing: 'clean' | { readonly crashAt: string }): Record<string, string> =>
  standing === 'clean' ? {} : { WRIT_CRASH_AT: standing.crashAt };

const services = ['turn-orchestrator', 'tool-executor', 'approval-service'] as const satisfies Service[];
const portStep = 10;

export function serviceOf(name: string): Service {
  const found = services.find((service) => name.startsWith(service));
  if (found === undefined) throw new Error(`${name} is no service`);
  return found;
}
