import { claim, commit, hold, newCall, request, takeOver } from '../testing/call-world';
import { digest, executor, heir } from '../testing/facts';
import { executorNext, type ExecutorSelf } from './pending';

const me: ExecutorSelf = {
  instance: executor,
  pool: 'default',
  definitionDigest: digest('e'),
  hasReadback: true,
};
const other: ExecutorSelf = { ...me, instance: heir };
const nothing = (reason: string) => ({ do: 'nothing', reason });
const ready = newCall({ effectClass: 'reconcilable', onDoubt: 'hold_for_person' });
const running = ready.did(claim());
const taken = running.did(takeOver());

describe('an executor that is woken for a call', () => {
  it('claims a ready call of its pool and definition, and leaves any other', () => {
    expect(executorNext(ready.state, me, 'unknown')).toEqual({ do: 'claim' });
    expect(executorNext(ready.state, { ...me, pool: 'gpu' }, 'unknown')).toEqual(nothing('other_pool'));
    expect(executorNext(ready.state, { ...me, definitionDigest: digest('0') }, 'unknown')).toEqual(
      nothing('other_definition'),
    );
    expect(executorNext(ready.state, { instance: executor, pool: 'default' }, 'unknown')).toEqual(
      nothing('other_definition'),
    );
  });

  it('does nothing where a person or nobody has to act', () => {
    const asking = newCall({ verdict: 'ask' });
    expect(executorNext(asking.state, me, 'unknown')).toEqual(nothing('awaiting_approval'));
    expect(executorNext(asking.did(request()).state, me, 'unknown')).toEqual(nothing('awaiting_approval'));
    expect(executorNext(taken.did(hold()).state, me, 'ended')).toEqual(nothing('held'));
    expect(executorNext(running.did(commit()).state, me, 'ended')).toEqual(nothing('settled'));
  });

  it('takes over only from a holder whose lease has ended on record', () => {
    expect(executorNext(running.state, other, 'ended')).toEqual({ do: 'take_over' });
    expect(executorNext(running.state, other, 'live')).toEqual(nothing('holder_lives'));
    expect(executorNext(running.state, other, 'unknown')).toEqual(nothing('holder_unknown'));
    expect(executorNext(taken.state, me, 'ended')).toEqual({ do: 'take_over' });
  });

  it('goes on with its own unfinished takeover, and leaves its own run alone', () => {
    expect(executorNext(taken.state, other, 'live')).toEqual({ do: 'reconcile' });
    expect(executorNext(running.state, me, 'live')).toEqual(nothing('already_mine'));
  });

  it('takes over with another definition only to read back', () => {
    const newer = { ...other, definitionDigest: digest('0') };
    expect(executorNext(running.state, newer, 'ended')).toEqual({ do: 'take_over' });
    expect(executorNext(running.state, { ...newer, hasReadback: false }, 'ended')).toEqual(
      nothing('other_definition'),
    );
    expect(
      executorNext(running.state, { instance: heir, pool: 'default', hasReadback: true }, 'ended'),
    ).toEqual(nothing('other_definition'));
  });
});
