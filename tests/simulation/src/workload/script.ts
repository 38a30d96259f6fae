import type { ModelOutcome, ModelRequest, ProposedCall } from '@writ/runtime';
import { Random } from '../world/random';
import type { Scheduler } from '../world/scheduler';
import type { Faults } from '../world/swarm';
import { toolNames } from './tools';

/** What a model asks for is drawn from seed and place in the conversation, so that a repeated question gets a like answer. */
export function replyOf(seed: number, { sessionId, repliesBefore }: ModelRequest): readonly ProposedCall[] {
  const random = new Random(seed, `script/${sessionId}/${repliesBefore}`);
  if (repliesBefore % 4 === 3 || (repliesBefore > 0 && random.chance(0.2))) return [];
  return Array.from({ length: random.whole(2, 4) }, (_, index) => proposed(random, repliesBefore, index));
}

function proposed(random: Random, step: number, index: number): ProposedCall {
  const id = `call_${step}_${index}`;
  if (random.chance(0.04)) return { id, name: 'no_such_tool', arguments: '{}' };
  const name = random.pick(toolNames);
  if (random.chance(0.04)) return { id, name, arguments: '{"n":' };
  const gate = random.chance(0.15)
    ? 'ask'
    : random.chance(0.05)
      ? 'never'
      : random.chance(0.4)
        ? 'hold'
        : 'open';
  return { id, name, arguments: JSON.stringify({ n: random.whole(0, 9_999), gate }) };
}

/** The provider: it takes its time, fails, and hangs until it is given up. */
export async function complete(
  { seed, scheduler, faults }: { seed: number; scheduler: Scheduler; faults: Faults },
  request: ModelRequest,
): Promise<ModelOutcome> {
  const slow = faults.hits('modelSlow');
  await scheduler.sleep(slow ? faults.whole(500, 9_000) : faults.whole(5, 120));
  if (faults.hits('modelFails')) return { ok: false, retryable: true, cause: 'the provider is overloaded' };
  const calls = replyOf(seed, request);
  const text = calls.length === 0 ? 'done' : '';
  return {
    ok: true,
    reply: { text, calls, finishReason: calls.length === 0 ? 'stop' : 'tool_calls', model: 'scripted' },
  };
}
