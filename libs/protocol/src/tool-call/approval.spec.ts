import { ignored, rejected } from '../decision';
import { claim, commit, deny, expire, grant, newCall, request, resultDraft } from '../testing/call-world';
import { digest, owner } from '../testing/facts';
import { after } from '../testing/journal';

const asking = newCall({ verdict: 'ask', rule: 'policy[1]', reason: 'runs a command' });
const requested = asking.did(request());
const late = { type: 'RecordLateDecision', by: 'bob', decidedAt: after(2_000), answer: 'grant' } as const;

describe('a request for approval', () => {
  it('carries rule and reason of the staged call', () => {
    expect(requested.journal.events.at(-1)?.data).toMatchObject({
      rule: 'policy[1]',
      reason: 'runs a command',
    });
    expect(requested.state).toMatchObject({
      status: 'awaiting_approval',
      requested: { revision: 0, deadline: after(600_000) },
    });
  });

  it('is made once, for the staged digest, and never for a call that needs none', () => {
    expect(requested.asked(request())).toEqual(ignored('already_requested'));
    expect(asking.asked(request({ argsDigest: digest('0') }))).toEqual(rejected('args_digest_must_match'));
    expect(asking.asked(request({ stagedRevision: 3 }))).toEqual(rejected('staged_event_must_match'));
    expect(newCall().asked(request())).toEqual(ignored('never_asked'));
    expect(requested.did(grant()).asked(request())).toEqual(ignored('already_decided'));
    expect(newCall().did(claim()).did(commit()).asked(request())).toEqual(ignored('already_settled'));
  });
});

describe('a decision', () => {
  it('that grants makes the call ready for one claim', () => {
    const granted = requested.did(grant());
    expect(granted.state).toMatchObject({ status: 'ready', decision: { answer: 'granted', by: 'ann' } });
    expect(granted.did(claim()).state.status).toBe('running');
  });

  it.each([
    ['ApprovalDenied', deny(), 'denied'],
    ['ApprovalExpired', expire(), 'expired'],
  ] as const)('that does not grant, %s, is one append with the result (R7)', (type, command, outcome) => {
    const decision = requested.asked(command);
    expect(decision).toMatchObject({
      kind: 'accepted',
      events: [{ type }, { type: 'ToolResultCommitted', data: { outcome, effect: 'none' } }],
    });
    const settled = requested.did(command);
    expect(settled.state).toMatchObject({ status: 'settled', result: { outcome, effect: 'none' } });
    expect(settled.asked(claim())).toEqual(ignored('already_settled'));
  });

  it('is judged by its own time against the deadline, whenever it is written (F19)', () => {
    expect(requested.asked(grant({ decidedAt: after(600_000) })).kind).toBe('accepted');
    expect(requested.asked(grant({ decidedAt: after(600_001) }))).toEqual(rejected('approval_expired'));
    expect(requested.asked(deny({ decidedAt: after(600_001) }))).toEqual(rejected('approval_expired'));
    expect(requested.asked(expire({ decidedAt: after(600_000) }))).toEqual(
      rejected('deadline_must_have_passed'),
    );
  });

  it('is for the staged digest and no other (F18)', () => {
    for (const command of [grant({ argsDigest: digest('0') }), deny({ argsDigest: digest('0') })])
      for (const world of [requested, requested.did(grant())])
        expect(world.asked(command)).toEqual(rejected('args_digest_must_match'));
  });

  it('needs a request', () => {
    expect(asking.asked(grant())).toEqual(rejected('approval_must_be_requested'));
    expect(newCall().asked(grant())).toEqual(rejected('approval_must_be_requested'));
  });

  it('given twice is the same decision; the loser of a race is told so', () => {
    const granted = requested.did(grant());
    expect(granted.asked(grant())).toEqual(ignored('already_granted'));
    expect(granted.asked(deny())).toEqual(rejected('already_decided'));
    expect(granted.asked(expire())).toEqual(ignored('already_decided'));
    const denied = requested.did(deny());
    expect(denied.asked(deny())).toEqual(ignored('already_denied'));
    expect(denied.asked(grant())).toEqual(rejected('already_decided'));
    expect(requested.did(expire()).asked(grant())).toEqual(rejected('approval_expired'));
  });

  it('on a call that the owner has abandoned is late', () => {
    const result = resultDraft({ outcome: 'skipped', effect: 'none' });
    const skipped = requested.did({ type: 'SettleAbandoned', instance: owner, result });
    expect(skipped.asked(grant())).toEqual(rejected('already_settled'));
    expect(skipped.asked(expire())).toEqual(ignored('already_settled'));
    expect(skipped.did(late).state).toMatchObject({
      status: 'settled',
      result: { outcome: 'skipped' },
      late: [{}],
    });
  });

  it('keeps what the person wrote', () => {
    const comment = 'not today';
    for (const world of [requested.did(grant({ comment })), requested.did(grant()).did({ ...late, comment })])
      expect(world.journal.events.at(-1)?.data).toMatchObject({ comment });
    expect(requested.did(grant()).did(late).journal.events.at(-1)?.data).not.toHaveProperty('comment');
    expect(requested.did(grant()).did(late).state.late).toStrictEqual([{}]);
  });

  it('counts as late only where another came first', () => {
    expect(requested.asked(late)).toEqual(rejected('late_must_be_late'));
    expect(requested.did(grant()).did(late).state).toMatchObject({
      status: 'ready',
      decision: { by: 'ann' },
    });
  });
});
