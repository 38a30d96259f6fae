import { deny, grant, newCall, request } from '../testing/call-world';
import { digest } from '../testing/facts';
import { after, beginning } from '../testing/journal';
import { judgeAnswer } from './decide';
import { pendingApproval } from './pending';

const question = { argsDigest: digest('d'), deadline: after(1_000) };
const answer = (given: 'granted' | 'denied' | 'expired', decidedAt: string, argsDigest = digest('d')) =>
  judgeAnswer(question, { answer: given, decidedAt, argsDigest });

describe('an answer to an approval', () => {
  it.each(['granted', 'denied'] as const)('that is %s stands up to and at the deadline', (given) => {
    expect(answer(given, after(999))).toBeUndefined();
    expect(answer(given, after(1_000))).toBeUndefined();
    expect(answer(given, after(1_001))).toBe('approval_expired');
  });

  it('leaves no moment in which both a grant and an expiry stand, and none in which neither does', () => {
    for (const ms of [0, 999, 1_000, 1_001, 5_000]) {
      const standing = (['granted', 'expired'] as const).filter(
        (given) => answer(given, after(ms)) === undefined,
      );
      expect([ms, standing]).toEqual([ms, [ms <= 1_000 ? 'granted' : 'expired']]);
    }
    expect(answer('expired', after(1_000))).toBe('deadline_must_have_passed');
  });

  it('for another digest, or before anybody was asked, does not stand', () => {
    expect(answer('granted', after(0), digest('0'))).toBe('args_digest_must_match');
    const unasked = { argsDigest: digest('d') };
    const given = { answer: 'granted', decidedAt: after(0), argsDigest: digest('d') } as const;
    expect(judgeAnswer(unasked, given)).toBe('approval_must_be_requested');
  });
});

describe('what the approval-service owes a call', () => {
  const asking = newCall({ verdict: 'ask' });
  const asked = asking.did(request({ deadline: after(1_000) }));
  const at = (ms: number): number => beginning + ms;

  it('is a request, then patience, then an expiry: the same after a restart', () => {
    expect(pendingApproval(asking.state, at(0))).toEqual({ do: 'request' });
    expect(pendingApproval(asked.state, at(1_000))).toEqual({ do: 'wait', untilMs: at(1_000) });
    expect(pendingApproval(asked.state, at(1_001))).toEqual({ do: 'expire' });
  });

  it('is nothing once it is decided, settled or was never needed', () => {
    expect(pendingApproval(asked.did(grant()).state, at(0))).toEqual({ do: 'nothing', reason: 'decided' });
    expect(pendingApproval(asked.did(deny()).state, at(0))).toEqual({ do: 'nothing', reason: 'settled' });
    expect(pendingApproval(newCall().state, at(0))).toEqual({ do: 'nothing', reason: 'never_asked' });
  });
});
