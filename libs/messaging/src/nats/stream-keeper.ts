/** Sees to it that the stream exists in each session, so that wakes can be published: also after a broker came back empty. */
import { ensureCommandsStream } from './topology';
import type { BusPorts } from '../observed-bus';
import { worthLogging } from '../counters';
import { retryDelay } from '../waiting';
import type { Link, Session } from './link';
import { errorCode } from './error-code';

export interface StreamKeeper {
  ready(): boolean;
  /** A publish was answered by nobody: look again. */
  missing(): void;
}

export function keepStream(link: Link, { log, clock, entropy }: BusPorts): StreamKeeper {
  let readyIn: Session | undefined;
  let looking = new AbortController();

  async function keep(session: Session): Promise<void> {
    let failures = 0;
    while (!session.ended.aborted) {
      try {
        looking = new AbortController();
        const lookAgain = AbortSignal.any([looking.signal, session.ended]);
        await ensureCommandsStream(session.connection);
        failures = 0;
        readyIn = session;
        log.info('bus_stream_ready', {});
        await aborted(lookAgain);
      } catch (thrown) {
        failures += 1;
        if (worthLogging(failures)) log.error('bus_stream_refused', { error: errorCode(thrown), failures });
      }
      readyIn = undefined;
      await clock.sleep(retryDelay(failures, entropy), session.ended);
    }
  }

  link.onSession((session) => void keep(session));
  return {
    ready: () => readyIn !== undefined && readyIn === link.session(),
    missing: () => looking.abort(),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
