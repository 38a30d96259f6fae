import { canonicalTranscriptSchema, openSessionResponseSchema, turnSchema } from '@writ/contracts';
import { percentile } from './percentile';

/** One turn of the workload: so many steps with so many calls each, then a last message. */
export interface Shape {
  readonly turns: number;
  readonly steps: number;
  readonly batch: number;
}

export interface Measured {
  readonly turns: number;
  readonly batch: number;
  readonly calls: number;
  readonly callsPerSecond: number;
  /** Milliseconds from one step's staging to the next: one durable batch, the scripted model included. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** `turns` turns at a time, each in a session of its own. */
export async function run(orchestrator: string, shape: Shape): Promise<Measured> {
  const sessions = await Promise.all(Array.from({ length: shape.turns }, () => openSession(orchestrator)));
  const began = performance.now();
  await Promise.all(sessions.map((session) => runTurn(orchestrator, session)));
  const seconds = (performance.now() - began) / 1_000;
  const gaps = (await Promise.all(sessions.map((session) => stepGaps(orchestrator, session)))).flat();
  const calls = shape.turns * shape.steps * shape.batch;
  return {
    turns: shape.turns,
    batch: shape.batch,
    calls,
    callsPerSecond: calls / seconds,
    p50Ms: percentile(gaps, 0.5),
    p99Ms: percentile(gaps, 0.99),
  };
}

async function openSession(base: string): Promise<string> {
  const response = await post(`${base}/v1/sessions`, {});
  return openSessionResponseSchema.parse(response).sessionId;
}

async function runTurn(base: string, sessionId: string): Promise<void> {
  const turn = turnSchema.parse(
    await post(`${base}/v1/sessions/${sessionId}/turns?wait=true`, { input: 'go' }),
  );
  if (turn.status !== 'completed') throw new Error(`a turn of the benchmark ended ${turn.status}`);
}

async function stepGaps(base: string, sessionId: string): Promise<number[]> {
  const response = await fetch(`${base}/v1/sessions/${sessionId}/transcript`);
  const { turns } = canonicalTranscriptSchema.parse(await response.json());
  const staged = turns.flatMap(({ steps }) =>
    steps.flatMap(({ calls }) => calls.slice(0, 1).map(({ stagedAt }) => Date.parse(stagedAt))),
  );
  return staged.slice(1).map((at, index) => at - (staged[index] ?? at));
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
