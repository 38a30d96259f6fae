import type { Concurrency, Json } from '@writ/contracts';
import fc from 'fast-check';
import { cutSegments, type RunnableCall } from '.';

const call = (concurrency: Concurrency, args: { [key: string]: Json } = {}): RunnableCall => ({
  concurrency,
  args,
});
const parallel = call('parallel');
const exclusive = call('exclusive');
const reads = (value: Json): RunnableCall => call({ reads: ['/k'] }, { k: value });
const writes = (value: Json): RunnableCall => call({ writes: ['/k'] }, { k: value });
const readsPath = (value: Json): RunnableCall => call({ reads: [{ path: '/p' }] }, { p: value });
const writesPath = (value: Json): RunnableCall => call({ writes: [{ path: '/p' }] }, { p: value });

describe('the segments of a round', () => {
  it.each<[string, RunnableCall[], number[]]>([
    ['nothing is in no segment', [], []],
    ['parallel calls share one', [parallel, parallel, parallel], [0, 0, 0]],
    ['an exclusive call has its own', [exclusive], [0]],
    [
      'an exclusive call parts what stands around it',
      [parallel, exclusive, parallel, parallel],
      [0, 1, 2, 2],
    ],
    ['exclusive calls follow one another', [exclusive, exclusive], [0, 1]],
    ['readers of one value share', [reads('a'), reads('a'), parallel], [0, 0, 0]],
    ['a writer waits for a reader', [reads('a'), writes('a')], [0, 1]],
    ['a reader waits for a writer', [writes('a'), reads('a')], [0, 1]],
    ['writers of one value part', [writes('a'), writes('a')], [0, 1]],
    ['writers of two values share', [writes('a'), writes('b'), reads('c')], [0, 0, 0]],
    [
      'a segment remembers all that it touches',
      [writes('a'), writes('b'), parallel, reads('a')],
      [0, 0, 0, 1],
    ],
    [
      'a new segment forgets the one before',
      [writes('a'), writes('a'), writes('b'), reads('b')],
      [0, 1, 1, 2],
    ],
    ['a later call never joins an earlier segment', [writes('a'), writes('a'), writes('c')], [0, 1, 1]],
    ['a number is not its text', [writes(1), writes('1')], [0, 0]],
    ['members in another order are one value', [writes({ a: 1, b: [2] }), writes({ b: [2], a: 1 })], [0, 1]],
    ['null is a value', [writes(null), writes(null)], [0, 1]],
  ])('%s', (_, calls, segments) => {
    expect(cutSegments(calls)).toEqual(segments);
  });

  it.each<[string, RunnableCall]>([
    ['a missing member', call({ writes: ['/gone'] }, { k: 1 })],
    ['one missing member of two', call({ reads: ['/k'], writes: ['/gone'] }, { k: 1 })],
    ['an inherited member', call({ writes: ['/constructor'] }, {})],
    ['a member of a text', call({ writes: ['/k/length'] }, { k: 'abc' })],
    ['a place beyond a list', call({ writes: ['/k/1'] }, { k: ['a'] })],
    ['a place that is no index', call({ writes: ['/k/00'] }, { k: ['a'] })],
    ['a path that is no text', call({ writes: [{ path: '/k' }] }, { k: 1 })],
  ])('a pointer to %s makes the call exclusive', (_, odd) => {
    expect(cutSegments([parallel, odd, parallel])).toEqual([0, 1, 2]);
  });

  it('pointers follow lists and escapes', () => {
    const deep = (value: string) => call({ writes: ['/a~1b/0/m~0n'] }, { 'a/b': [{ 'm~n': value }] });
    expect(cutSegments([deep('x'), deep('y'), deep('x')])).toEqual([0, 0, 1]);
  });

  it('a declaration without resources touches nothing', () => {
    expect(cutSegments([call({}), call({ reads: [] }), parallel])).toEqual([0, 0, 0]);
  });

  it.each([
    ['./a.txt', 'a.txt'],
    ['/x/../a', '/a'],
    ['/A/B', '/a/b'],
    ['dir/', 'dir'],
    ['caf\u00e9', 'cafe\u0301'],
  ])('paths %j and %j are one place', (left, right) => {
    expect(cutSegments([writesPath(left), readsPath(right)])).toEqual([0, 1]);
  });

  it('paths to two places share a segment', () => {
    expect(cutSegments([writesPath('/a'), writesPath('/b'), writesPath('a')])).toEqual([0, 0, 0]);
  });

  it('a plain value also meets a tool that declares it as a path', () => {
    expect(cutSegments([writes('./A.txt'), writesPath('./A.txt')])).toEqual([0, 1]);
  });

  it('never puts two calls that collide into one segment, and keeps the order', () => {
    const some = fc.oneof(
      fc.constantFrom(parallel, exclusive),
      fc.constantFrom('a', 'b', 'c').map(reads),
      fc.constantFrom('a', 'b', 'c').map(writes),
    );
    const touches = ({ concurrency }: RunnableCall) => (typeof concurrency === 'string' ? {} : concurrency);
    const clash = (left: RunnableCall, right: RunnableCall): boolean =>
      left === exclusive ||
      right === exclusive ||
      (left.args['k'] !== undefined &&
        left.args['k'] === right.args['k'] &&
        (touches(left).writes !== undefined || touches(right).writes !== undefined));
    fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), (calls) => {
        const segments = cutSegments(calls);
        expect(segments).toHaveLength(calls.length);
        for (const [j, right] of calls.entries())
          for (const [i, left] of calls.slice(0, j).entries()) {
            expect(segments[i] ?? 0).toBeLessThanOrEqual(segments[j] ?? 0);
            if (clash(left, right)) expect(segments[i]).not.toBe(segments[j]);
          }
      }),
    );
  });
});
