/** What Nest handlers are bound to. The subjects behind them, and the pool, are the transport's concern. */

/** Names this transport to decorators, so that a second transport in the same application takes none of its handlers. */
export const WRIT_TRANSPORT = Symbol('writ');

/** `@MessagePattern`: a wake of the executor's own pool; the handler returns a `DeliveryVerdict`. */
export const EXECUTE_PATTERN = 'writ.execute';
/** `@MessagePattern`: a wake for the approval-service; the handler returns a `DeliveryVerdict`. */
export const APPROVE_PATTERN = 'writ.approve';
/** `@EventPattern`: a `Notice` or a `ControlNotice` of any session. */
export const NOTICE_PATTERN = 'writ.notice';
/** `@EventPattern`: a `Cancel` of any call. */
export const CANCEL_PATTERN = 'writ.cancel';

/** Wakes have an answer, hints have none. */
export const wakePatterns: readonly string[] = [EXECUTE_PATTERN, APPROVE_PATTERN];
export const hintPatterns: readonly string[] = [NOTICE_PATTERN, CANCEL_PATTERN];
