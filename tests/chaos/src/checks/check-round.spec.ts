import { checkRound, notReached } from './check-round';
import type { CallFacts, RoundFacts } from './facts';

const call = (over: Partial<CallFacts> = {}): CallFacts => ({
  sessionId: 's',
  callId: 'c',
  tool: 'book',
  effectClass: 'reconcilable',
  outcome: 'succeeded',
  effect: 'applied',
  takeovers: ['gone'],
  readbacks: ['applied'],
  seen: { raw: 1, keys: 1 },
  ...over,
});
const choices = { round: 1, victim: 1, held: 'book', hold: 'after' } as const;
const plan = { ...choices, kind: 'kill', point: 'K5', recovery: 'takeover' } as const;
const silent = { ...choices, kind: 'silent', service: 'tool-executor', how: 'frozen' } as const;
const everyClass = (changed: CallFacts): readonly CallFacts[] => [
  changed,
  ...(['read', 'idempotent', 'reconcilable', 'irreversible'] as const).map((effectClass) =>
    call({ callId: effectClass, effectClass, effect: effectClass === 'read' ? 'none' : 'applied' }),
  ),
];
const facts = (over: Partial<RoundFacts> = {}): RoundFacts => ({
  plan,
  harm: { isHit: true },
  settled: true,
  isSilent: false,
  executorLives: true,
  turns: [{ sessionId: 's', turnId: 't', status: 'completed' }],
  calls: everyClass(call()),
  findings: [],
  thrown: [],
  ...over,
});
const rulesOf = (over: Partial<RoundFacts>) => checkRound(facts(over)).map(({ rule }) => rule);

describe('the judgement of a round', () => {
  it('finds nothing where every effect is as it is recorded', () => {
    expect(rulesOf({})).toEqual([]);
  });

  it.each<[string, string, Partial<CallFacts>]>([
    ['a reconcilable effect that came twice', 'R9', { seen: { raw: 2, keys: 1 } }],
    [
      'an irreversible effect that came twice',
      'R9',
      { effectClass: 'irreversible', seen: { raw: 2, keys: 1 } },
    ],
    ['two keys of one idempotent call', 'R9', { effectClass: 'idempotent', seen: { raw: 2, keys: 2 } }],
    ['an applied effect that nobody saw', 'R8', { seen: { raw: 0, keys: 0 } }],
    ['an effect that is recorded as none', 'R8', { outcome: 'succeeded', effect: 'none' }],
    ['a call without its result', 'R4', { outcome: null, effect: null }],
    ['a reconcilable call settled unknown', 'gave_up', { outcome: 'unknown', effect: 'unknown' }],
    [
      'a reconcilable call in doubt although its holder is gone',
      'gave_up',
      { outcome: 'unknown', effect: 'unknown', takeovers: ['silent', 'gone'], readbacks: ['not_applied'] },
    ],
    [
      'a reconcilable call in doubt although its effect was read back',
      'gave_up',
      { outcome: 'unknown', effect: 'unknown', takeovers: ['silent'], readbacks: ['applied'] },
    ],
    [
      'an idempotent call in doubt, which only need be run again',
      'gave_up',
      { effectClass: 'idempotent', outcome: 'unknown', effect: 'unknown', takeovers: ['silent'] },
    ],
    ['a call that was broken off by nobody', 'gave_up', { outcome: 'interrupted', effect: 'unknown' }],
    ['a read settled unknown', 'gave_up', { effectClass: 'read', outcome: 'unknown', effect: 'none' }],
    [
      'a call skipped while an executor lives',
      'gave_up',
      { outcome: 'skipped', effect: 'none', seen: { raw: 0, keys: 0 } },
    ],
    [
      'an unanswered call that was run',
      'R7',
      { tool: 'send_unanswered', outcome: 'failed', effect: 'unknown' },
    ],
  ])('finds %s', (_what, rule, over) => {
    expect(rulesOf({ calls: everyClass(call(over)) })).toEqual([rule]);
  });

  it.each<[string, Partial<CallFacts>, Partial<RoundFacts>]>([
    ['an idempotent key sent twice', { effectClass: 'idempotent', seen: { raw: 2, keys: 1 } }, {}],
    [
      'an irreversible call in doubt',
      { effectClass: 'irreversible', outcome: 'unknown', effect: 'unknown' },
      {},
    ],
    [
      'a call that waited when its turn was interrupted',
      { tool: 'send_asked', outcome: 'skipped', effect: 'none', seen: { raw: 0, keys: 0 } },
      { harm: { isHit: true, interrupted: ['s'] } },
    ],
    [
      'doubt about a holder that is only silent and whose effect has not come',
      { outcome: 'unknown', effect: 'unknown', takeovers: ['silent'], readbacks: ['not_applied'] },
      {},
    ],
    [
      'a call skipped where no executor lives',
      { outcome: 'skipped', effect: 'none', seen: { raw: 0, keys: 0 } },
      { executorLives: false },
    ],
    [
      'a call that a silent holder broke off',
      { outcome: 'interrupted', effect: 'unknown' },
      { isSilent: true },
    ],
  ])('lets pass %s', (_what, over, round) => {
    expect(rulesOf({ calls: everyClass(call(over)), ...round })).toEqual([]);
  });

  it('finds an ending that the harm does not explain, what never settled, what the audit found, and who ended by itself', () => {
    const turn = { sessionId: 's', turnId: 't' };
    expect(rulesOf({ turns: [{ ...turn, status: 'failed', code: 'model_failed' }] })).toEqual(['ending']);
    expect(rulesOf({ turns: [{ ...turn, status: 'interrupted' }] })).toEqual(['ending']);
    const lost = { ...turn, status: 'failed', code: 'session_persistence_failed' } as const;
    expect(rulesOf({ turns: [lost] })).toEqual(['ending']);
    expect(rulesOf({ turns: [lost], plan: { ...silent, how: 'cut_off' } })).toEqual([]);
    expect(rulesOf({ settled: false })).toEqual(['never_settled']);
    expect(rulesOf({ findings: [{ rule: 'A6', message: 'two starts', events: [] }] })).toEqual(['A6']);
    expect(rulesOf({ thrown: ['tool-executor-1 ended with exit code 1'] })).toEqual(['thrown']);
  });

  it('finds a round that did not try every class, and one whose point nobody came to', () => {
    expect(
      rulesOf({ calls: everyClass(call()).filter(({ effectClass }) => effectClass !== 'idempotent') }),
    ).toEqual(['classes']);
    expect(notReached(facts())).toBe(false);
    expect(notReached(facts({ harm: {} }))).toBe(true);
    expect(notReached(facts({ plan: silent, harm: {} }))).toBe(false);
  });
});
