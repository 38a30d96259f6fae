import { readFileSync } from 'node:fs';
import { stackNoteSchema } from '@writ/contracts';

export const defaultStoreUrl = 'esdb://127.0.0.1:2113?tls=false';

export interface StoreUrlSources {
  /** `--eventstore`. */
  readonly option?: string | undefined;
  /** `WRIT_EVENTSTORE_URL`. */
  readonly environment?: string | undefined;
  /** The note that `npm run up` leaves while its stack runs. */
  readonly noteFile: string;
}

/** Where the store is: as said on the line, else in the environment, else by the running stack, else where it is by default. */
export const storeUrl = ({ option, environment, noteFile }: StoreUrlSources): string =>
  option ?? (environment || (urlOfStack(noteFile) ?? defaultStoreUrl));

/** A note whose stack has ended without taking it along counts for nothing. */
function urlOfStack(noteFile: string): string | undefined {
  try {
    const note = stackNoteSchema.parse(JSON.parse(readFileSync(noteFile, 'utf8')));
    process.kill(note.pid, 0);
    return note.eventstore;
  } catch {
    return undefined;
  }
}

/** The URL as it may be shown: without what stands before an `@`. */
export const shownUrl = (url: string): string => url.replace(/\/\/[^/@]*@/, '//');
