import { readinessSchema, type Readiness } from '@writ/contracts';

export interface Ready {
  readonly status: number;
  readonly checks: Readiness['checks'];
}

/** What a service says of itself; undefined where it does not answer. */
export async function readinessAt(base: string): Promise<Ready | undefined> {
  try {
    const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(10_000) });
    const { checks } = readinessSchema.parse(JSON.parse(await response.text()));
    return { status: response.status, checks };
  } catch {
    return undefined;
  }
}

/** Whether a service says within a second that its process runs: what whoever restarts the unhealthy asks. */
export async function isAlive(base: string): Promise<boolean> {
  return fetch(`${base}/livez`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );
}
