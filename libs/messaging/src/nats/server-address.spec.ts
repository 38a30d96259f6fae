import { parseServerAddress } from './server-address';

describe('the broker address', () => {
  it.each([
    ['nats://127.0.0.1:4222', { servers: ['127.0.0.1:4222'] }],
    ['broker:4222', { servers: ['broker:4222'] }],
    ['nats://broker', { servers: ['broker'] }],
    ['nats://a:1, nats://b:2', { servers: ['a:1', 'b:2'] }],
    ['nats://[::1]:4222', { servers: ['[::1]:4222'] }],
    ['nats://user:p%40ss@broker:4222', { servers: ['broker:4222'], user: 'user', pass: 'p@ss' }],
    ['nats://token@broker', { servers: ['broker'], token: 'token' }],
    ['tls://broker:4222', { servers: ['broker:4222'], tls: {} }],
  ])('%s is understood', (url, options) => {
    expect(parseServerAddress(url)).toEqual(options);
  });

  it.each([[''], ['http://broker'], ['nats://'], ['nats://user:secret@']])(
    '%j is refused, unquoted',
    (url) => {
      expect(() => parseServerAddress(url)).toThrow('the broker address must look like nats://host:4222');
    },
  );
});
