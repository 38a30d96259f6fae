import { checkHandlers } from './check-handlers';
import { APPROVE_PATTERN, CANCEL_PATTERN, EXECUTE_PATTERN, NOTICE_PATTERN } from './patterns';

const message = { isEventHandler: false };
const event = { isEventHandler: true };

describe('the handlers of an application', () => {
  it('fit when each pattern has its kind and each queue its option', () => {
    const handlers = new Map([
      [EXECUTE_PATTERN, message],
      [NOTICE_PATTERN, event],
      [CANCEL_PATTERN, event],
    ]);
    expect(checkHandlers(handlers, { execute: {} })).toBeUndefined();
    expect(checkHandlers(new Map(), {})).toBeUndefined();
  });

  it.each([
    ['an unknown pattern', 'writ.exceute', message, {}],
    ['a wake without an answer', EXECUTE_PATTERN, event, { execute: {} }],
    ['a hint that expects an answer', CANCEL_PATTERN, message, {}],
    ['a handler without its option', APPROVE_PATTERN, message, {}],
    ['an option without its handler', NOTICE_PATTERN, event, { execute: {} }],
  ])('do not fit: %s', (_what, pattern, handler, options) => {
    expect(checkHandlers(new Map([[pattern, handler]]), options)).toEqual(expect.any(String));
  });
});
