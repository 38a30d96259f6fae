import fc from 'fast-check';
import { argumentsDigest, keptText, rawDigest, readArguments } from '.';

const limits = { rawBytes: 4_096, quotedBytes: 6_000, depth: 8 };
const read = (raw: string) => readArguments(raw, limits);
const codeOf = (raw: string) => {
  const reading = read(raw);
  return reading.ok ? 'ok' : reading.code;
};
const messageOf = (raw: string) => {
  const reading = read(raw);
  return reading.ok ? '' : reading.message;
};

describe('arguments that are read', () => {
  it.each([
    '{}',
    ' {\n}\t',
    '{"a":{"b":[1,2.50,-0,1e3,true,null,"\\u00e9 \\ud83d\\ude00 😀"]}}',
    '{"":1,"a b":2}',
  ])('are what JSON.parse gives: %s', (raw) => {
    expect(read(raw)).toEqual({ ok: true, args: JSON.parse(raw), blank: false });
  });

  it.each(['', '   ', '\n\t\r '])('are {} and marked where the text is blank: %j', (raw) => {
    expect(read(raw)).toEqual({ ok: true, args: {}, blank: true });
  });

  it('may nest and be as large as the limits say, and no more', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
    expect(codeOf(nested(8))).toBe('ok');
    expect(codeOf(nested(9))).toBe('too_deep');
    const sized = (bytes: number) => `{"a":"${'é'.repeat((bytes - 8) / 2)}"}`;
    expect(codeOf(sized(4_096))).toBe('ok');
    expect(codeOf(sized(4_098))).toBe('too_large');
    expect(codeOf(`{"a":"${'\\n'.repeat(1_900)}"}`)).toBe('ok');
    expect(codeOf(`{"a":"${'\\"'.repeat(1_900)}"}`)).toBe('too_large');
  });

  it('may hold the greatest safe integers', () => {
    expect(codeOf('{"a":[9007199254740991,-9007199254740991,1e300,0.1,0e9,0.0]}')).toBe('ok');
  });

  it('may spell a number in any way that means the double', () => {
    expect(codeOf('{"a":[1.50e+1,100E-2,0.0000001,1.7976931348623157e308,5e-324,-0.0e5,12e20]}')).toBe('ok');
    expect(codeOf(`{"a":0.1${'0'.repeat(3_000)}}`)).toBe('ok');
  });

  it('may hold whatever a double writes of itself', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        fc.pre(!Number.isInteger(number) || Number.isSafeInteger(number) || /e/.test(String(number)));
        for (const literal of [JSON.stringify(number), number.toExponential()])
          expect(codeOf(`{"a":${literal}}`)).toBe('ok');
      }),
    );
  });
});

describe('arguments that are refused', () => {
  it.each([
    ['a list', '[]', 'not_object'],
    ['null', 'null', 'not_object'],
    ['a number', '42', 'not_object'],
    ['a text', '"{}"', 'not_object'],
    ['two objects glued together', '{"a":1}{"a":1}', 'not_json'],
    ['an object and more', '{"a":1} x', 'not_json'],
    ['a cut text', '{"path":"a.txt","content":"abc', 'ends_early'],
    ['a text cut behind a brace in it', '{"content":"{}', 'ends_early'],
    ['a text cut in an escape', '{"a":"\\u00', 'ends_early'],
    ['a cut object', '{"path":"a.txt"', 'ends_early'],
    ['an object cut behind a list', '{"a":[1]', 'ends_early'],
    ['an object cut behind a comma', '{"a":1,', 'ends_early'],
    ['an object cut behind a key', '{"a"', 'ends_early'],
    ['an object cut behind a colon', '{"a": ', 'ends_early'],
    ['a cut word', '{"a":tru', 'ends_early'],
    ['a cut number', '{"a":-', 'ends_early'],
    ['nothing but its brace', '{', 'ends_early'],
    ['a brace too many', '{"a":1}}', 'not_json'],
    ['a brace of another kind', '{"a":1]', 'not_json'],
    ['a line comment', '{"a":1} // ok', 'not_json'],
    ['a block comment', '{/* ok */"a":1}', 'not_json'],
    ['a trailing comma', '{"a":1,}', 'not_json'],
    ['a trailing comma in a list', '{"a":[1,]}', 'not_json'],
    ['single quotes', "{'a':1}", 'not_json'],
    ['a bare key', '{a:1}', 'not_json'],
    ['NaN', '{"a":NaN}', 'not_json'],
    ['a leading zero', '{"a":01}', 'not_json'],
    ['a bare fraction', '{"a":.5}', 'not_json'],
    ['a line break in a text', '{"a":"x\ny"}', 'not_json'],
    ['a byte order mark', '\ufeff{}', 'not_json'],
    ['another kind of space', '\u00a0{}', 'not_json'],
    ['a code fence', '```json\n{}\n```', 'not_json'],
    ['a wrong escape', '{"a":"\\x41"}', 'not_json'],
    ['doubled keys', '{"a":1,"a":1}', 'doubled_key'],
    ['doubled keys further in', '{"b":[{"a":1,"c":2,"a":3}]}', 'doubled_key'],
    ['doubled keys in two spellings', '{"a":1,"\\u0061":2}', 'doubled_key'],
    ['a key that reaches the prototype', '{"__proto__":{}}', 'dangerous_key'],
    ['the same key, escaped', '{"\\u005f_proto__":{}}', 'dangerous_key'],
    ['a constructor', '{"a":{"constructor":1}}', 'dangerous_key'],
    ['a prototype', '{"a":[{"prototype":1}]}', 'dangerous_key'],
    ['an integer that a double rounds', '{"a":9007199254740993}', 'integer_too_large'],
    ['an integer whose neighbours would be the same', '{"a":9007199254740992}', 'integer_too_large'],
    ['a large negative integer', '{"a":-12345678901234567890}', 'integer_too_large'],
    ['a large integer written with a fraction', '{"a":9007199254740993.0}', 'integer_too_large'],
    ['a number beyond all doubles', '{"a":1e400}', 'number_out_of_range'],
    ['a number that vanishes', '{"a":1e-400}', 'number_out_of_range'],
    ['an integer in disguise that a double rounds', '{"a":9007199254740993e0}', 'number_inexact'],
    ['another', '{"a":90071992547409930e-1}', 'number_inexact'],
    ['a fraction with more digits than a double has', '{"a":12345678901234567.89}', 'number_inexact'],
    ['a small one', '{"a":[-0.10000000000000000001]}', 'number_inexact'],
    ['an escaped lone surrogate', '{"a":"x\\ud800y"}', 'lone_surrogate'],
    ['a raw lone surrogate', '{"a":"\udc00"}', 'lone_surrogate'],
    ['surrogates in the wrong order', '{"a":"\\udc00\\ud800"}', 'lone_surrogate'],
    ['a lone surrogate in a key', '{"\\ud800":1}', 'lone_surrogate'],
    ['a null character', '{"a":"x\\u0000"}', 'null_character'],
    ['a null character in a key', '{"\\u0000":1}', 'null_character'],
    ['a raw null character', '{"a":"\0"}', 'not_json'],
  ])('%s', (_, raw, code) => {
    expect(codeOf(raw)).toBe(code);
  });

  it('are placed by pointer or offset', () => {
    expect(messageOf('{"a":{"b/c":[0,1e400]}}')).toBe('at /a/b~1c/1, offset 15');
    expect(messageOf('{"a":[{"k":1,"k":2}]}')).toBe('key /a/0/k at offset 13');
    expect(messageOf('{"a" 1}')).toBe('ColonExpected at offset 5');
    expect(messageOf('{"a":1} // no')).toBe('InvalidCommentToken at offset 8');
    expect(messageOf('9007199254740993')).toBe('at /, offset 0');
  });

  it('say what to do where the way out is known', () => {
    expect(messageOf('{"a":"b')).toBe('it ends at offset 7 before its object does; send the whole of it');
    expect(messageOf('"{\\"a\\":1}"')).toBe('it is a JSON text and no object; send the object itself');
  });

  it('are told in a bounded line without odd characters, whatever the keys', () => {
    const message = messageOf(`{"${'k\\n'.repeat(200)}😀":1e400}`);
    expect(message.length).toBeLessThan(220);
    expect(message).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
  });

  it('cost no stack, however deep and broken', () => {
    for (const text of ['[', '{"a":', '[}', '{"a":[}', '[[]', '{}{'])
      expect(readArguments(text.repeat(60_000)).ok).toBe(false);
    expect(readArguments(`{"a":1${'0'.repeat(400_000)}1}`).ok).toBe(false);
    expect(readArguments(`{"a":0.1${'0'.repeat(400_000)}1}`).ok).toBe(false);
  });
});

describe('whatever the text', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, 0, -1.5, 2 ** 53, 1e308, 'secret-1', '\ud800', '\0', 'é😀'),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '__proto__', ''), tie('any'), { maxKeys: 3 }),
    ),
  })).any;
  const splice = fc.record({
    at: fc.nat(60),
    cut: fc.nat(3),
    put: fc.constantFrom(
      '',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '\\',
      '\\u',
      '1e999',
      '//',
      ' ',
      '\0',
      '\ud800',
      '-',
    ),
  });
  const text = fc.oneof(
    fc
      .tuple(value, fc.array(splice, { maxLength: 3 }))
      .map(([json, splices]) =>
        splices.reduce(
          (raw, { at, cut, put }) => raw.slice(0, at) + put + raw.slice(at + cut),
          JSON.stringify(json),
        ),
      ),
    fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        'u',
        '0',
        '1',
        'e',
        '.',
        '-',
        ' ',
        'true',
      ),
    }),
    fc.string({ unit: 'binary' }),
  );
  const parse = (raw: string): unknown => {
    try {
      return JSON.parse(raw);
    } catch {
      return 'not JSON';
    }
  };

  const isRecord = (it: unknown) => typeof it === 'object' && it !== null && !Array.isArray(it);

  it('it agrees with JSON.parse: on the value where it reads, on there being none where it says not_json or ends_early', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const reading = read(raw);
        if (reading.ok && !reading.blank) expect(reading.args).toEqual(parse(raw));
        if (!reading.ok && ['not_json', 'ends_early'].includes(reading.code))
          expect(parse(raw)).toBe('not JSON');
        if (!reading.ok && reading.code === 'not_object') expect(isRecord(parse(raw))).toBe(false);
      }),
      { numRuns: 1_500 },
    );
  });

  it('what it reads is the same after a trip through JSON, and its message holds no value', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const reading = read(raw);
        if (reading.ok) expect(readArguments(JSON.stringify(reading.args)).ok).toBe(true);
        else expect(reading.message).not.toContain('secret');
      }),
      { numRuns: 500 },
    );
  });
});

describe('digests', () => {
  const definitionDigest = `sha256:${'1'.repeat(64)}`;
  const of = (raw: string, tool = 'a') => {
    const reading = read(raw);
    return argumentsDigest({ tool, definitionDigest, args: reading.ok ? reading.args : {} });
  };

  it('are of the value and not of its spelling', () => {
    expect(of('{"a":1.0,"b":"é"}')).toBe(of('{ "b": "\\u00e9", "a": 1 }'));
    expect(of('{"a":1}')).not.toBe(of('{"a":"1"}'));
  });

  it('are of the tool and its definition as well', () => {
    expect(of('{}')).not.toBe(of('{}', 'b'));
    expect(of('{}')).not.toBe(
      argumentsDigest({ tool: 'a', definitionDigest: `sha256:${'2'.repeat(64)}`, args: {} }),
    );
  });

  it('of what did not parse are those of its bytes', () => {
    expect(rawDigest('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(rawDigest('{"a":1}')).not.toBe(rawDigest('{"a": 1}'));
  });
});

describe('a text that is kept', () => {
  it('is cut between code points and made well-formed, which leaves the digest of its bytes as it was', () => {
    expect(keptText('a😀b', 2)).toBe('a');
    expect(keptText('a😀b', 3)).toBe('a😀');
    expect(keptText('x\ud800y')).toBe('x\ufffdy');
    expect(rawDigest('x\ud800y')).toBe(rawDigest(keptText('x\ud800y')));
  });
});
