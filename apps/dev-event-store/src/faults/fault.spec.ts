import { faultSchema } from './fault';

describe('the body of a fault', () => {
  it.each([
    { on: 'append', do: 'hold' },
    { on: 'append', stream: 'session-', eventType: 'Opened', do: 'store_then_drop_ack', times: 3 },
    { on: 'append', do: 'store_then_wrong_version' },
    { on: 'append', do: 'fail_unavailable' },
    { on: 'append', do: 'disconnect' },
    { on: 'append', eventType: 'Opened', do: 'delay', ms: 0 },
    { on: 'read', stream: '$all', do: 'hold' },
    { on: 'read', do: 'delay', ms: 10 },
    { on: 'subscribe', do: 'fail_unavailable', times: 1 },
    { on: 'subscribe', do: 'disconnect' },
  ])('is taken: %j', (body) => {
    expect(faultSchema.parse(body)).toEqual(body);
  });

  it.each([
    undefined,
    null,
    [],
    'hold',
    {},
    { on: 'append' },
    { do: 'hold' },
    { on: 'delete', do: 'hold' },
    { on: 'append', do: 'explode' },
    { on: 'append', do: 'hold', surprise: true },
    { on: 'append', do: 'delay' },
    { on: 'append', do: 'hold', ms: 10 },
    { on: 'append', do: 'delay', ms: -1 },
    { on: 'append', do: 'delay', ms: 1.5 },
    { on: 'append', do: 'delay', ms: 600_001 },
    { on: 'append', do: 'hold', times: 0 },
    { on: 'append', do: 'hold', times: '1' },
    { on: 'append', do: 'hold', stream: 1 },
    { on: 'read', do: 'store_then_drop_ack' },
    { on: 'read', do: 'store_then_wrong_version' },
    { on: 'subscribe', do: 'store_then_drop_ack' },
    { on: 'read', do: 'hold', eventType: 'Opened' },
  ])('is refused: %j', (body) => {
    expect(faultSchema.safeParse(body).success).toBe(false);
  });
});
