import * as fc from 'fast-check';
import { callStream, type EventData } from '@writ/contracts';
import { historyRules } from '../invariants';
import {
  callId,
  claim,
  commit,
  deny,
  expire,
  grant,
  hold,
  newCall,
  orderRerun,
  plain,
  readBack,
  request,
  rerun,
  resultDraft,
  takeOver,
} from '../testing/call-world';
import { after } from '../testing/journal';
import { executor, heir, owner } from '../testing/facts';
import type { CallCommand } from './commands';
import { foldCall } from './evolve';

const instance = fc.constantFrom(executor, heir, owner);
const epoch = fc.nat({ max: 6 });
const outcome = fc.constantFrom(
  ...(['succeeded', 'failed', 'timed_out', 'interrupted', 'unknown', 'skipped', 'refused'] as const),
);
const effect = fc.constantFrom(...(['none', 'applied', 'unknown'] as const));
const answer = fc.constantFrom(...(['applied', 'not_applied', 'unknown'] as const));
const decidedAt = fc.constantFrom(after(1_000), after(600_001));

/** Any command, sensible or not. */
const command: fc.Arbitrary<CallCommand> = fc.oneof(
  fc.record({ instance }).map(claim),
  fc
    .record({ outcome, effect, instance, epoch })
    .map(({ outcome: as, effect: had, ...by }) => commit({ outcome: as, effect: had }, by)),
  fc
    .tuple(instance, fc.constantFrom('gone', 'silent', 'released'), instance)
    .map((given) => takeOver(...given)),
  fc.tuple(answer, fc.record({ instance, epoch })).map(([said, by]) => readBack(said, by)),
  fc.record({ instance, epoch, fenced: fc.boolean() }).map(rerun),
  fc.record({ instance, epoch }).map(hold),
  fc.constant(request()),
  fc.record({ decidedAt }).map(grant),
  fc.record({ decidedAt }).map(deny),
  fc.record({ decidedAt }).map(expire),
  fc.constant(orderRerun),
  fc.constant<CallCommand>({ type: 'RefuseByCheck', instance: executor, result: plain }),
  fc
    .record({ outcome, effect })
    .map((given): CallCommand => ({ type: 'SettleAbandoned', instance: owner, result: resultDraft(given) })),
  fc.record({ answer, outcome, effect }).map((given): CallCommand => ({
    type: 'ResolveDoubt',
    by: 'ann',
    authentication: 'local',
    effect: given.answer,
    evidence: null,
    rerun: false,
    result: resultDraft(given),
  })),
  fc.record({ epoch, outcome, effect }).map((given): CallCommand => ({
    type: 'RecordLateResult',
    ...given,
    content: [],
    digest: resultDraft().digest,
  })),
);
const staged: fc.Arbitrary<Partial<EventData<'ToolCallStaged'>>> = fc.record({
  effectClass: fc.constantFrom('read', 'idempotent', 'reconcilable', 'irreversible'),
  verdict: fc.constantFrom('allowed', 'ask'),
  onDoubt: fc.constantFrom('tell_model', 'hold_for_person'),
});

describe('a call under any commands in any order', () => {
  it('takes in whatever its decider accepts, and keeps A1, A2, A5 and A7', () => {
    fc.assert(
      fc.property(staged, fc.array(command, { maxLength: 60, size: 'max' }), (given, commands) => {
        let world = newCall(given);
        for (const each of commands) if (world.asked(each).kind === 'accepted') world = world.did(each);
        const { events } = world.journal;
        const { A1, A2, A5, A7 } = historyRules;
        expect([A1, A2, A5, A7].flatMap((check) => check(events).findings)).toEqual([]);
        expect(foldCall(world.state.staged, world.journal.of(callStream(callId)))).toEqual(world.state);
        const ran = events.filter(({ type }) => type === 'ToolExecutionStarted');
        expect(ran.length).toBeLessThanOrEqual(3);
      }),
      { numRuns: 500 },
    );
  });

  it('asks for nothing twice: what was accepted once is not accepted again', () => {
    fc.assert(
      fc.property(staged, fc.array(command, { maxLength: 30, size: 'max' }), (given, commands) => {
        let world = newCall(given);
        for (const each of commands) {
          if (world.asked(each).kind !== 'accepted') continue;
          world = world.did(each);
          expect([each.type, world.asked(each).kind]).not.toEqual([each.type, 'accepted']);
        }
      }),
      { numRuns: 300 },
    );
  });
});
