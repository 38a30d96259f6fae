import { argumentsObject, saysTheSame } from './arguments';

const nested = (open: string, close: string, levels: number): string =>
  `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`;

describe('arguments read back from their raw text', () => {
  it('are the object that the text is, whatever is in it', () => {
    const value = { a: null, b: [null, { c: '{[' }], d: '"}', e: -0.5, f: true, '': {} };
    expect(argumentsObject(JSON.stringify(value))).toEqual(value);
    expect(argumentsObject('  ')).toEqual({});
  });

  it('are none where the text is no object, broken, or holds half a surrogate pair anywhere', () => {
    for (const raw of [
      'null',
      '[]',
      '"a"',
      '1',
      '{',
      '{"a":}',
      '{"a":"\\ud800"}',
      '{"\\udc00":1}',
      '{"a":["\ud800"]}',
    ])
      expect(argumentsObject(raw)).toBeNull();
  });

  it('are none from 256 levels on, of objects, lists or both, and brackets side by side or in texts do not count', () => {
    expect(argumentsObject(nested('[', ']', 255))).not.toBeNull();
    expect(argumentsObject(nested('[', ']', 256))).toBeNull();
    expect(argumentsObject(nested('{"b":', '}', 256))).toBeNull();
    expect(argumentsObject(nested('[', ']', 100_000))).toBeNull();
    expect(
      argumentsObject(JSON.stringify({ a: Array(300).fill([]), b: Array(300).fill({}) })),
    ).not.toBeNull();
    expect(argumentsObject(JSON.stringify({ a: '['.repeat(300), b: '\\"['.repeat(300) }))).not.toBeNull();
  });
});

describe('a text beside its object', () => {
  const same = (raw: string): boolean => saysTheSame(raw, argumentsObject(raw) ?? {});

  it('says the same however a number is spelled, and whatever stands in texts', () => {
    expect(same('{"a":[1.50,-0,2E2,1e300,5e-324],"9007199254740993":"1e400 \\" 9007199254740993"}')).toBe(
      true,
    );
  });

  it('says the same where nothing was lost', () => {
    expect(same('{"a":[{"b":":"},{"b":{}}],"n":9007199254740991,"x":1.5,"z":null}')).toBe(true);
  });

  it('says more where a key is doubled or dangerous, at any depth, or a number was not kept', () => {
    expect(same('{"a":{"b":1,"b":1}}')).toBe(false);
    expect(same('{"a":[{"constructor":1}]}')).toBe(false);
    expect(same('{"__proto__":1}')).toBe(false);
    expect(same('{"prototype":1}')).toBe(false);
    expect(same('{"a":[9007199254740993]}')).toBe(false);
    expect(same('{"a":[9007199254740993e0]}')).toBe(false);
    expect(same('{"a":{"b":-12345678901234567.89}}')).toBe(false);
    expect(same('{"a":1e400}')).toBe(false);
  });
});
