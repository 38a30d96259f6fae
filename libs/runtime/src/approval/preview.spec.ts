import { digestOfText } from '../digest';
import { previewOf, shownArguments } from './preview';

const secret = 'test-secret-123';

describe('what a person is shown of a call', () => {
  it.each([
    ['a header', { url: 'https://x.test', headers: { Authorization: `Bearer ${secret}` } }],
    ['a header of another case', { headers: { 'X-API-Key': secret } }],
    ['a member', { password: secret }],
    [
      'a member of more than one word',
      { openaiApiKey: secret, client_secret: secret, 'access-token': secret },
    ],
    ['a list', { cookies: [{ cookie: secret }] }],
    ['a value that is no text', { credentials: { user: 'a', key: [secret] } }],
    [
      'a text with a credential in it',
      { command: `curl -H "Authorization: Bearer ${secret}" https://x.test` },
    ],
  ])('has no secret of %s', (_where, args) => {
    const raw = JSON.stringify(args);
    const { preview } = previewOf('fetch', raw);
    expect([preview, JSON.stringify(shownArguments(raw))].join()).not.toContain(secret);
    expect(preview).toContain('[masked]');
  });

  it('keeps everything else, and the digest is of what was shown', () => {
    const args = { url: 'https://x.test', max_tokens: 5, author: 'b', list: [1, null, { deep: true }] };
    expect(shownArguments(JSON.stringify(args))).toEqual(args);
    const { preview, digest } = previewOf('fetch', JSON.stringify(args));
    expect(preview).toBe(
      'fetch\nurl: "https://x.test"\nmax_tokens: 5\nauthor: "b"\nlist: [1,null,{"deep":true}]',
    );
    expect(digest).toBe(digestOfText(preview));
  });

  it('is no argument at all where the text was none', () => {
    expect(shownArguments(`["${secret}"]`)).toEqual({});
  });
});
