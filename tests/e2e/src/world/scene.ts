import type { WritEvent } from '@writ/contracts';
import { checkAnthropicMessages, checkOpenaiMessages } from '@writ/protocol';
import { eventually } from './eventually';
import { sessionEvents } from './record';
import type { World } from './world';

/** What tests of crashes and faults do to a world, and what they look for in its record. */
export class Scene {
  constructor(private readonly world: World) {}

  async events(sessionId: string): Promise<readonly WritEvent[]> {
    return sessionEvents(this.world.stack.addresses.eventstore, sessionId);
  }

  async count(sessionId: string, type: WritEvent['type']): Promise<number> {
    return (await this.events(sessionId)).filter((event) => event.type === type).length;
  }

  /** How often the model was asked in a session whose first input this is. */
  asked(input: string): number {
    return this.world.model.requests.filter((body) => body.includes(JSON.stringify(input))).length;
  }

  /** Whether a process has logged this event about this session or call. */
  logged(name: string, event: string, id: string): boolean {
    return this.linesOf(name, event).some((line) => line.includes(id));
  }

  linesOf(name: string, event: string): readonly string[] {
    return this.world.stack.output(name).filter((line) => line.includes(`"event":"${event}"`));
  }

  /** Another life for a process, which ends at its crash point. */
  async armCrash(name: string, point: string): Promise<void> {
    await this.world.stack.kill(name);
    expect(await this.world.stack.start(name, { WRIT_CRASH_AT: point })).toBe('ready');
  }

  async crashed(name: string): Promise<void> {
    expect(await this.world.stack.waitForExit(name)).toMatchObject({ signal: 'SIGKILL' });
    expect(this.linesOf(name, 'crash_point').length).toBeGreaterThan(0);
  }

  /** Starts what has ended; usable when this resolves. */
  async revive(...names: readonly string[]): Promise<void> {
    for (const name of names) expect(await this.world.stack.start(name)).toBe('ready');
  }

  async faultHit(): Promise<void> {
    await eventually('the fault acts', async () =>
      [...(await this.world.stack.faults.hits()).values()].some((hits) => hits > 0),
    );
  }

  /** As any provider takes it, by checkers that share nothing with the rendering. */
  async isLegal(sessionId: string): Promise<void> {
    const { client } = this.world;
    const openai = JSON.parse(await client.transcriptText(sessionId, 'openai')) as { messages: never[] };
    const anthropic = JSON.parse(await client.transcriptText(sessionId, 'anthropic')) as {
      messages: never[];
    };
    expect(checkOpenaiMessages(openai.messages)).toEqual([]);
    expect(checkAnthropicMessages(anthropic.messages)).toEqual([]);
  }

  /** All faults healed and all processes running, for the next test. */
  async restore(...names: readonly string[]): Promise<void> {
    const { stack, model, probe } = this.world;
    for (const name of names) stack.signal(name, 'SIGCONT');
    await stack.faults.heal();
    await this.revive(...names);
    model.forget();
    probe.hold();
  }
}
