import { contentFrom, jsonFrom } from './content';
import { messageFrom, readbackFrom } from './answer';

describe('what a tool returned', () => {
  it('is left as it is where JSON can say it, members without a value left out', () => {
    const value = { a: [1, -0.5, 'x', null, true, { b: {} }], c: undefined };
    expect(jsonFrom(value)).toEqual({ ok: true, value: { a: [1, -0.5, 'x', null, true, { b: {} }] } });
  });

  it('keeps a member that is named like the prototype', () => {
    const json = jsonFrom(JSON.parse('{"__proto__": {"a": 1}}'));
    expect(json.ok && JSON.stringify(json.value)).toBe('{"__proto__":{"a":1}}');
  });

  it('may hold the same value twice, which is no cycle', () => {
    const twice = { a: 1 };
    expect(jsonFrom([twice, twice])).toEqual({ ok: true, value: [{ a: 1 }, { a: 1 }] });
  });

  it('is asked for its JSON, as dates are', () => {
    expect(jsonFrom({ at: new Date(0) })).toEqual({ ok: true, value: { at: '1970-01-01T00:00:00.000Z' } });
  });

  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  it.each([
    ['a function', { f: () => 1 }, 'a value of type function at /f is not JSON'],
    ['a symbol', [Symbol('x')], 'a value of type symbol at /0 is not JSON'],
    ['undefined in a list', [1, undefined], 'a value of type undefined at /1 is not JSON'],
    ['a hole', new Array(1), 'a value of type undefined at /0 is not JSON'],
    ['infinity', { n: Infinity }, 'Infinity at /n is not JSON'],
    ['a map', { m: new Map() }, 'a Map at /m is not JSON'],
    ['bytes within', { b: new Uint8Array(1) }, 'a Uint8Array at /b is not JSON'],
    ['a promise', [Promise.resolve()], 'a Promise at /0 is not JSON'],
    ['too much nesting', deep(201), expect.stringContaining('nesting deeper than 200')],
  ])('is an error where JSON would lose something: %s', (_what, value, why) => {
    expect(jsonFrom(value)).toEqual({ ok: false, why });
  });

  it('is an error where reading it throws', () => {
    const value = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(jsonFrom(value)).toEqual({ ok: false, why: 'reading it threw an error' });
  });

  it('has lone surrogates made well-formed wherever they stand, and pairs left alone', () => {
    expect(contentFrom('a\ud800b\udc00c😀')).toEqual({
      ok: true,
      content: [{ type: 'text', text: 'a\ufffdb\ufffdc😀' }],
    });
    expect(jsonFrom({ 'k\udc00': ['\ud800'] })).toEqual({ ok: true, value: { 'k\ufffd': ['\ufffd'] } });
  });

  it('has a preview of a blob that is text, cut between characters', () => {
    const bytes = Buffer.from(`${'a'.repeat(1023)}é`, 'utf8');
    const content = contentFrom({ bytes, mediaType: 'text/plain; charset=utf-8' });
    expect(content).toMatchObject({
      ok: true,
      content: [{ type: 'blob', size: 1025, preview: 'a'.repeat(1023) }],
    });
  });

  it('needs a media type for bytes that are given with a name', () => {
    expect(contentFrom({ bytes: new Uint8Array(1), mediaType: 'nonsense' })).toMatchObject({ ok: false });
  });
});

describe('what a tool threw', () => {
  it.each([
    [new TypeError('no'), 'TypeError: no'],
    ['no', 'no'],
    [undefined, 'threw a value of type undefined'],
    [{ message: 'no', name: 'Odd' }, 'Odd: no'],
    [new Error('x'.repeat(5_000)), `Error: ${'x'.repeat(4_089)}…`],
  ])('becomes a bounded text', (error, text) => {
    expect(messageFrom(error)).toBe(text);
  });
});

describe('what a readback answered', () => {
  it('is unknown unless it has the shape that was asked for', () => {
    expect(readbackFrom({ effect: 'not_applied' })).toEqual({ effect: 'not_applied', evidence: null });
    expect(readbackFrom({ effect: 'none' }).effect).toBe('unknown');
    expect(readbackFrom('applied').effect).toBe('unknown');
    expect(readbackFrom({ effect: 'not_applied', evidence: 1n }).effect).toBe('unknown');
  });

  it('keeps its word about the effect when its result cannot be told', () => {
    expect(readbackFrom({ effect: 'applied', evidence: 1, result: 1n })).toMatchObject({ effect: 'applied' });
  });
});
