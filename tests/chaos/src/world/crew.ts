import type { Service } from '@writ/contracts';
import type { Stack } from '@writ/stack';
import type { ChaosConfig, Point } from '../config';

/** How a process is to stand when a round begins: away, or running, with the crash point that it is to die at. */
export type Standing = 'away' | 'clean' | { readonly crashAt: string };

/** The service processes of a stack and how each of them stands. */
export class Crew {
  private readonly armed = new Set<string>();
  private readonly frozen = new Set<string>();
  /** Lines that a process had said before the life that it has now. */
  private readonly saidBefore = new Map<string, number>();

  constructor(
    private readonly stack: Stack,
    private readonly services: ChaosConfig['services'],
  ) {}

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

  async start(name: string, crashAt?: string): Promise<void> {
    if (this.stack.isAlive(name)) return;
    if (crashAt === undefined) this.armed.delete(name);
    else this.armed.add(name);
    this.saidBefore.set(name, this.stack.output(name).length);
    const wait = await this.stack.start(name, crashAt === undefined ? {} : { WRIT_CRASH_AT: crashAt });
    // Armed, it may already have died of what it found to do.
    if (wait !== 'ready' && crashAt === undefined)
      throw new Error(
        `${name} was started and is not ready: ${wait}\n${this.stack.output(name).slice(-8).join('\n')}`,
      );
  }

  /** Whether a process's newest life ended by its own hand at this point. */
  diedAt(name: string, point: Point): boolean {
    return (
      !this.stack.isAlive(name) &&
      this.stack
        .output(name)
        .slice(this.saidBefore.get(name) ?? 0)
        .some((line) => line.includes('"event":"crash_point"') && line.includes(`"point":"${point}"`))
    );
  }

  /** The executor that runs a call, by what it says itself. */
  holderOf(callId: string): string | undefined {
    return this.names('tool-executor').find((name) =>
      this.stack.output(name).some((line) => line.includes('"tool_started"') && line.includes(callId)),
    );
  }

  private async bring(name: string, wanted: Standing): Promise<void> {
    const crashAt = typeof wanted === 'object' ? wanted.crashAt : undefined;
    if (wanted !== 'clean' || this.armed.has(name)) await this.stack.kill(name);
    if (wanted !== 'away') await this.start(name, crashAt);
  }
}

const services = ['turn-orchestrator', 'tool-executor', 'approval-service'] as const satisfies Service[];
const portStep = 10;

export function serviceOf(name: string): Service {
  const found = services.find((service) => name.startsWith(service));
  if (found === undefined) throw new Error(`${name} is no service`);
  return found;
}
