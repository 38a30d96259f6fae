import { NO_METADATA, parseStreamMetadata, reopenedMetadata, SOFT_DELETE_BODY } from './stream-metadata';

function parse(text: string): ReturnType<typeof parseStreamMetadata> {
  return parseStreamMetadata(Buffer.from(text));
}

describe('stream metadata', () => {
  it('says what readers may see', () => {
    expect(parse('{"$tb":5,"$maxCount":10,"$maxAge":60,"own":true}')).toMatchObject({
      truncateBefore: 5,
      maxCount: 10,
      maxAgeMs: 60_000,
      softDeleted: false,
    });
  });

  it('knows a soft delete although its number is beyond JavaScript', () => {
    expect(parseStreamMetadata(SOFT_DELETE_BODY).softDeleted).toBe(true);
    expect(parse('{"$tb":9007199254740991}').softDeleted).toBe(false);
  });

  it.each(['', 'no json', '[]', 'null', '{"$maxCount":"many"}', '{"$maxAge":-1}'])(
    'counts as none if it is %j',
    (text) => expect(parse(text)).toEqual(NO_METADATA),
  );

  it('keeps what else it holds when the stream is reopened', () => {
    const metadata = parse('{"$tb":9223372036854775807,"own":{"x":1}}');

    expect(JSON.parse(reopenedMetadata(metadata, 4).toString())).toEqual({ $tb: 4, own: { x: 1 } });
  });
});
