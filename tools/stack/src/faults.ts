import { z } from 'zod';

const patience = 5_000;

/** What the event store can be told to do wrong (interfaces.md, the embedded event store). */
export interface Fault {
  readonly on: 'append' | 'read' | 'subscribe';
  /** Prefix of the stream's name. */
  readonly stream?: string;
  readonly eventType?: string;
  readonly do:
    'hold' | 'delay' | 'fail_unavailable' | 'disconnect' | 'store_then_drop_ack' | 'store_then_wrong_version';
  /** With `delay`. */
  readonly ms?: number;
  /** Matches; without it the fault acts until healed. */
  readonly times?: number;
}

const listSchema = z.object({ faults: z.array(z.looseObject({ id: z.string(), hits: z.number() })) });
const armedSchema = z.object({ id: z.string() });

export interface Faults {
  /** Gives the fault's id; throws where the event store refuses it, which is a mistake of the test. */
  arm(fault: Fault): Promise<string>;
  /** How often each armed fault has acted, by id. */
  hits(): Promise<ReadonlyMap<string, number>>;
  /** Disarms all and releases what is held. */
  heal(): Promise<void>;
}

/** The fault interface below `base`, as the stack gives it in `faults`. */
export function faultsAt(base: string): Faults {
  const ask = async (init: RequestInit): Promise<unknown> => {
    const response = await fetch(`${base}/faults`, { ...init, signal: AbortSignal.timeout(patience) });
    const text = await response.text();
    if (!response.ok) throw new Error(`the fault interface answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    async arm(fault) {
      const headers = { 'content-type': 'application/json' };
      return armedSchema.parse(await ask({ method: 'POST', headers, body: JSON.stringify(fault) })).id;
    },
    async hits() {
      const { faults } = listSchema.parse(await ask({ method: 'GET' }));
      return new Map(faults.map(({ id, hits }) => [id, hits]));
    },
    async heal() {
      await ask({ method: 'DELETE' });
    },
  };
}
