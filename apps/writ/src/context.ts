import { connectEventStore } from '@writ/event-store';
import type { EventStore } from '@writ/runtime';
import { exitCodes, type ExitCode } from './exit-codes';
import { commandLimits } from './limits';
import type { Out } from './print/out';
import { shownUrl } from './store-url';
import { clock, entropy } from './system';

/** What a command gets to work with. */
export interface Context {
  readonly store: EventStore;
  readonly out: Out;
  /** `--json`: one JSON document for programs. */
  readonly json: boolean;
  /** Wall clock, for ages alone. */
  readonly nowMs: number;
}

export type Command = (context: Context) => Promise<ExitCode>;

export interface CommandSetting {
  readonly out: Out;
  readonly url: string;
  readonly json: boolean;
}

/** Runs a command against the store behind the URL and lets go of it, whatever came of it. */
export async function withStore({ out, url, json }: CommandSetting, command: Command): Promise<ExitCode> {
  const store = storeAt(url);
  if (store === undefined) {
    out.complain(`${shownUrl(url)} is no address of a store; try esdb://127.0.0.1:2113?tls=false`);
    return exitCodes.wrongUsage;
  }
  try {
    const code = await command({ store, out, json, nowMs: clock.wallMs() });
    if (code === exitCodes.cannotReach) out.complain(`cannot reach the store at ${shownUrl(url)}`);
    return code;
  } finally {
    await store.close();
  }
}

function storeAt(url: string): EventStore | undefined {
  try {
    const { answerMs: appendTimeoutMs, resolveMs } = commandLimits;
    return connectEventStore({ url, appendTimeoutMs, resolveMs, clock, entropy });
  } catch {
    return undefined;
  }
}
