import type { NewEvent } from '@writ/contracts';

/** What a decider answers. A refusal is a value with a closed code; a thrown error is a bug. */
export type Accepted<E> = { readonly kind: 'accepted'; readonly events: readonly E[] };
/** A duplicate, late or needless command: nothing to write, and a name for the log. */
export type Ignored = { readonly kind: 'ignored'; readonly reason: string };
export type Rejected<R extends string> = { readonly kind: 'rejected'; readonly code: R };
export type Decision<E, R extends string> = Accepted<E> | Ignored | Rejected<R>;

/** The events of one decision belong into one append. */
export const accepted = <T extends readonly NewEvent[]>(...events: T): Accepted<T[number]> => ({
  kind: 'accepted',
  events,
});
export const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason });
export const rejected = <R extends string>(code: R): Rejected<R> => ({ kind: 'rejected', code });
