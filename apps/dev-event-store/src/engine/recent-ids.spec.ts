import { newId } from '../testing/engine';
import { RecentIds } from './recent-ids';

describe('recent ids', () => {
  it('know an id within its stream only', () => {
    const recent = new RecentIds();
    const id = newId();
    recent.remember(id, 'a', 3);

    expect(recent.revisionOf(id, 'a')).toBe(3);
    expect(recent.revisionOf(id, 'b')).toBeUndefined();
    expect(recent.revisionOf(newId(), 'a')).toBeUndefined();
  });

  it('forget the oldest when the room is used up', () => {
    const recent = new RecentIds(3 * (28 + 1));
    const ids = [0, 1, 2, 3].map(() => newId());
    ids.forEach((id, revision) => recent.remember(id, 'a', revision));

    expect(ids.map((id) => recent.revisionOf(id, 'a'))).toEqual([undefined, 1, 2, 3]);
  });
});
