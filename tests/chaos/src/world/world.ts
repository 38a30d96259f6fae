import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectEventStore } from '@writ/event-store';
import type { EventStore } from '@writ/runtime';
import { systemClock, systemEntropy } from '@writ/service';
import { startStack, type Stack } from '@writ/stack';
import type { ChaosConfig } from '../config';
import { chaosLimits } from '../limits';
import { Client } from './client';
import { Crew } from './crew';
import { Ledger } from './ledger';
import { ModelServer } from './model-server';

/** The real processes under attack, and everything that the harness has beside them. */
export interface World {
  readonly stack: Stack;
  readonly crew: Crew;
  readonly client: Client;
  readonly ledger: Ledger;
  readonly store: EventStore;
  /** What a service should never do: end by itself and not well, or say that something threw. */
  readonly thrown: string[];
  /** Whom the client asks first. */
  prefer(orchestrator: string): void;
  close(): Promise<void>;
}

/** Patient enough that an outage of the harness's own making is not taken for a loss. */
const patient = { WRIT_APPEND_RESOLVE_MS: '6000', WRIT_COMMIT_GRACE_MS: '8000', WRIT_UNCLAIMED_MS: '60000' };

/** The words under which services log what they did not expect. */
const saysThrown = /"event":"(fatal|bug|call_failed|session_failed|\w+_threw)"/;

export async function startWorld(config: ChaosConfig, env: NodeJS.ProcessEnv): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-chaos-'));
  const model = await ModelServer.start();
  const ledger = new Ledger(join(folder, 'ledger'));
  const thrown: string[] = [];
  const started = await startStack({
    data: join(folder, 'data'),
    portBase: 'free',
    config: config.rules,
    tools: config.tools,
    ...config.services,
    onEvent: (event) => {
      if ('ended' in event && event.ended.signal === null && event.ended.code !== 0)
        thrown.push(`${event.ended.name} ended with exit code ${event.ended.code ?? '?'}`);
    },
    onLine: (name, line) => {
      if (saysThrown.test(line)) thrown.push(`${name} said ${line.slice(0, chaosLimits.shownCharacters)}`);
    },
    env: {
      ...env,
      ...patient,
      WRIT_LEASE_TTL_MS: String(config.leaseTtlMs),
      WRIT_APPEND_TIMEOUT_MS: String(Math.floor(config.leaseTtlMs / 3)),
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'a-key',
      WRIT_MODEL: 'chaos',
      CHAOS_LEDGER: ledger.file,
    },
  });
  if (!started.ok) {
    await model.close();
    throw new Error(started.line);
  }
  const { stack } = started;
  const crew = new Crew(stack, config.services);
  const timers = { appendTimeoutMs: 5_000, resolveMs: 5_000, clock: systemClock, entropy: systemEntropy };
  const store = connectEventStore({ url: stack.addresses.eventstore, ...timers });
  let preferred = crew.nth('turn-orchestrator', 1);
  const orchestrators = (): readonly string[] =>
    [...crew.alive('turn-orchestrator')]
      .sort((left, right) => Number(right === preferred) - Number(left === preferred))
      .map((name) => crew.base(name));
  const approvals = (): readonly string[] => crew.alive('approval-service').map((name) => crew.base(name));
  return {
    stack,
    crew,
    ledger,
    store,
    thrown,
    client: new Client(orchestrators, approvals),
    prefer: (orchestrator) => (preferred = orchestrator),
    async close() {
      await store.close();
      await stack.close();
      await crew.links.close();
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
