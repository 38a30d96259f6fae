import { z } from 'zod';

const listSchema = z.object({ faults: z.array(z.looseObject({ id: z.string(), hits: z.number() })) });

export interface FaultClient {
  /** Arms a fault and returns its id. */
  arm(fault: object): Promise<string>;
  hits(): Promise<number[]>;
  list(): Promise<z.infer<typeof listSchema>['faults']>;
  heal(): Promise<void>;
}

/** What a test does with the fault interface at `url`. */
export function faultClient(url: string): FaultClient {
  const list = async (): Promise<z.infer<typeof listSchema>['faults']> =>
    listSchema.parse(await (await fetch(url)).json()).faults;
  return {
    list,
    hits: async () => (await list()).map(({ hits }) => hits),
    arm: async (fault) => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(fault) });
      if (response.status !== 201) throw new Error(`the fault was refused: ${await response.text()}`);
      return z.strictObject({ id: z.string() }).parse(await response.json()).id;
    },
    heal: async () => {
      const response = await fetch(url, { method: 'DELETE' });
      if (response.status !== 204) throw new Error(`healing failed: ${response.status}`);
    },
  };
}
