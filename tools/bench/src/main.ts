import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { verify } from '@writ/audit';
import { connectEventStore } from '@writ/event-store';
import { systemClock, systemEntropy } from '@writ/service';
import { startStack, type Stack } from '@writ/stack';
import { measureFloor, type Floor } from './floor';
import { printResults } from './print';
import { run, type Measured, type Shape } from './workload';

const fixtures = resolve(__dirname, '..', 'fixtures');
const steps = 20;
const shapes: readonly Omit<Shape, 'batch'>[] = [
  { turns: 1, steps },
  { turns: 8, steps },
  { turns: 64, steps },
];
const batch = 8;

interface Results {
  readonly floor: Floor;
  readonly measured: readonly Measured[];
  readonly effects: { readonly expected: number; readonly seen: number };
  readonly audit: { readonly ok: boolean; readonly events: number };
}

void main().then((code) => (process.exitCode = code));

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { json: { type: 'string' } } });
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-'));
  try {
    const single = await inStack(folder, 1, (stack) =>
      measure(
        stack,
        shapes.map((shape) => ({ ...shape, batch: 1 })),
      ),
    );
    const batched = await inStack(folder, batch, (stack) => measure(stack, [{ turns: 1, steps, batch }]));
    const seen = readFileSync(join(folder, 'ledger'), 'utf8').split('\n').length - 1;
    const measured = [...single.measured, ...batched.measured];
    const expected = single.warmUp + batched.warmUp + measured.reduce((sum, { calls }) => sum + calls, 0);
    const audit = {
      ok: single.audit.ok && batched.audit.ok,
      events: single.audit.events + batched.audit.events,
    };
    const results: Results = { floor: single.floor, measured, effects: { expected, seen }, audit };
    printResults(results);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
    return audit.ok && seen === expected ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One stack whose scripted model asks for `size` calls a step; each of the two shapes of a step has its own. */
async function inStack<T>(folder: string, size: number, work: (stack: Stack) => Promise<T>): Promise<T> {
  const script = join(folder, `script-${size}.jsonl`);
  writeFileSync(script, scriptOf(size));
  const started = await startStack({
    data: join(folder, `data-${size}`),
    portBase: 'free',
    config: join(fixtures, 'writ.config.yaml'),
    tools: join(fixtures, 'writ.tools.yaml'),
    env: {
      ...process.env,
      WRIT_MODEL_SCRIPT: script,
      BENCH_LEDGER: join(folder, 'ledger'),
      WRIT_LOG_LEVEL: 'warn',
    },
  });
  if (!started.ok) throw new Error(started.line);
  try {
    return await work(started.stack);
  } finally {
    await started.stack.close();
  }
}

async function measure(stack: Stack, wanted: readonly Shape[]) {
  const orchestrator = stack.addresses.orchestrator ?? '';
  const { calls: warmUp } = await run(orchestrator, { turns: 2, steps, batch: wanted[0]?.batch ?? 1 });
  const measured: Measured[] = [];
  for (const shape of wanted) measured.push(await run(orchestrator, shape));
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-floor-'));
  const floor = await measureFloor(folder, stack.addresses.nats);
  rmSync(folder, { recursive: true, force: true });
  return { warmUp, measured, floor, audit: await audited(stack.addresses.eventstore) };
}

async function audited(url: string): Promise<Results['audit']> {
  const timers = { appendTimeoutMs: 10_000, resolveMs: 10_000 };
  const store = connectEventStore({ url, ...timers, clock: systemClock, entropy: systemEntropy });
  const verification = await verify(store);
  await store.close();
  return verification.outcome === 'verified'
    ? { ok: verification.report.ok, events: verification.report.counts.events }
    : { ok: false, events: 0 };
}

function scriptOf(size: number): string {
  const calls = Array.from({ length: size }, (_, n) => ({
    id: `call_${n}`,
    function: { name: 'book', arguments: JSON.stringify({ n }) },
  }));
  const step = JSON.stringify({ content: '', tool_calls: calls });
  return [...Array.from({ length: steps }, () => step), JSON.stringify({ content: 'done' })].join('\n');
}
