import type { MessageHandler } from '@nestjs/microservices';
import { APPROVE_PATTERN, EXECUTE_PATTERN, hintPatterns, wakePatterns } from './patterns';

/** What is wrong with an application's handlers, in words; undefined where they fit. */
export function checkHandlers(
  handlers: ReadonlyMap<string, Pick<MessageHandler, 'isEventHandler'>>,
  options: { readonly execute?: object; readonly approve?: object },
): string | undefined {
  for (const [pattern, { isEventHandler }] of handlers) {
    if (wakePatterns.includes(pattern)) {
      if (isEventHandler === true) return `${pattern} needs @MessagePattern: its handler returns a verdict`;
    } else if (hintPatterns.includes(pattern)) {
      if (isEventHandler !== true) return `${pattern} needs @EventPattern: nobody waits for an answer`;
    } else {
      return `${pattern} is no pattern of this transport`;
    }
  }
  const queues = [
    [EXECUTE_PATTERN, options.execute],
    [APPROVE_PATTERN, options.approve],
  ] as const;
  for (const [pattern, option] of queues) {
    if (handlers.has(pattern) !== (option !== undefined)) {
      return `${pattern} needs both a handler and its option of WritTransport`;
    }
  }
  return undefined;
}
