import { eventSchemas } from '@writ/contracts';
import fc from 'fast-check';
import { digest } from '../testing/facts';
import { batch, proposed, visible } from '../testing/tools';
import { planRound, type ProposedCallInput } from '.';

const reader = visible('read_file', { concurrency: 'parallel' });
const writer = visible('write_file', { effectClass: 'idempotent', concurrency: { writes: ['/path'] } });
const child = visible('delegate', { delegate: true, concurrency: 'parallel' });

const withPath = (path: string): Partial<ProposedCallInput> => ({
  arguments: { ok: true, args: { path }, digest: digest(path.charCodeAt(0).toString(16)) },
});
const unparsed: Partial<ProposedCallInput> = {
  arguments: { ok: false, code: 'not_json', message: 'ValueExpected at offset 3', digest: digest('9') },
};

describe('whatever the batch', () => {
  const tools = [reader, writer, child, undefined];
  const callOf = fc.record({
    tool: fc.constantFrom(...tools),
    provider: fc.constantFrom('', 'r1', 'r2', 'constructor'),
    path: fc.constantFrom('x', 'y', '__proto__'),
    fault: fc.constantFrom('none', 'none', 'none', 'arguments', 'schema'),
  });
  const roundOf = fc.record({
    calls: fc.array(callOf, { maxLength: 12 }),
    finishReason: fc.constantFrom('tool_calls', 'length'),
    callsPerBatch: fc.integer({ min: 1, max: 12 }),
    callsUsed: fc.integer({ min: 0, max: 12 }),
    answer: fc.constantFrom('allow', 'ask', 'refuse', 'none'),
  });
  type Round = typeof roundOf extends fc.Arbitrary<infer T> ? T : never;

  const inputOf = ({ calls, finishReason, callsPerBatch, callsUsed, answer }: Round) =>
    batch(
      calls.map(({ tool, provider, path, fault }, index) =>
        proposed(`c${index}`, tool, {
          providerCallId: provider,
          ...(fault === 'arguments' ? unparsed : withPath(path)),
          ...(fault === 'schema' && { schema: { ok: false, message: 'x' } as const }),
        }),
      ),
      {
        finishReason,
        callsUsed,
        budgets: { ...batch([]).budgets, callsPerBatch, callsPerTurn: 12 },
        policy:
          answer === 'none' ? undefined : { rules: [{ match: {}, decide: answer }], onDoubt: 'tell_model' },
      },
    );

  it('no call is dropped or moved, and every staged event is one that the contract takes', () => {
    fc.assert(
      fc.property(roundOf, (round) => {
        const input = inputOf(round);
        const { calls } = planRound(input);
        expect(calls.map(({ staged }) => [staged.index, staged.callId, staged.nameSent])).toEqual(
          input.calls.map((call, index) => [index, call.callId, call.nameSent]),
        );
        for (const { staged } of calls)
          expect(eventSchemas.ToolCallStaged.safeParse(staged)).toMatchObject({ success: true });
      }),
    );
  });

  it('a call has a refusal exactly when its verdict is refused, and a segment exactly when it is not', () => {
    fc.assert(
      fc.property(roundOf, (round) => {
        for (const { staged, refusal } of planRound(inputOf(round)).calls) {
          expect(refusal !== undefined).toBe(staged.verdict === 'refused');
          expect(staged.segment === undefined).toBe(staged.verdict === 'refused');
          expect(refusal?.callId ?? staged.callId).toBe(staged.callId);
        }
      }),
    );
  });

  it('segments flatten to the order of the calls, without a gap', () => {
    fc.assert(
      fc.property(roundOf, (round) => {
        const plan = planRound(inputOf(round));
        const segments = plan.calls.flatMap(({ staged }) => staged.segment ?? []);
        expect(segments).toEqual([...segments].sort((left, right) => left - right));
        expect(new Set(segments).size).toBe(plan.segments);
        expect(Math.max(-1, ...segments)).toBe(plan.segments - 1);
      }),
    );
  });

  it('no more calls run than the budgets have room for', () => {
    fc.assert(
      fc.property(roundOf, (round) => {
        const running = planRound(inputOf(round)).calls.filter(({ refusal }) => refusal === undefined);
        expect(running.length).toBeLessThanOrEqual(Math.min(round.callsPerBatch, 12 - round.callsUsed));
        expect(running.filter(({ staged }) => staged.tool === 'delegate').length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
