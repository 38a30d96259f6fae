/** Notices and cancels over core NATS: lossy, never waited for, never buffered while the broker is away. */
import { cancelSubject, noticeSubject, type Cancel, type ControlNotice, type Notice } from '@writ/contracts';
import type { Bus, Log } from '@writ/runtime';
import { encodeHint, parseCancel, parseNotice } from '../codec';
import { worthLogging, type Counting } from '../counters';
import { createHintChannel, type HintChannel } from '../hint-channel';
import type { Link, Session } from './link';
import { errorCode } from './error-code';

type Hints = Pick<Bus, 'notice' | 'cancel' | 'onNotice' | 'onCancel'>;

export function createHints(link: Link, { log, counting }: { log: Log; counting: Counting }): Hints {
  function openChannel<T>(
    kind: string,
    subject: string,
    parse: (bytes: Uint8Array) => T | undefined,
  ): HintChannel<T> {
    let subscribedIn: Session | undefined;
    // One subscription per session, and only where somebody listens.
    function subscribe(session: Session | undefined): void {
      if (session === undefined || session === subscribedIn || !channel.wanted()) return;
      subscribedIn = session;
      session.connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) channel.deliver(message.data);
          else log.error('hint_subscription_refused', { kind, error: errorCode(error) });
        },
      });
    }
    const firstWanted = () => subscribe(link.session());
    const channel = createHintChannel<T>({ kind, parse, log, counting, firstWanted });
    link.onSession(subscribe);
    return channel;
  }

  function send(subject: string, hint: Notice | ControlNotice | Cancel): void {
    const bytes = encodeHint(hint);
    const session = link.session();
    if (bytes !== undefined && session !== undefined && !session.connection.isClosed()) {
      session.connection.publish(subject, bytes);
      return;
    }
    const total = counting.add('droppedHints');
    if (worthLogging(total)) log.warn('hint_dropped', { total });
  }

  const notices = openChannel('notice', noticeSubject('*'), parseNotice);
  const cancels = openChannel('cancel', cancelSubject('*'), parseCancel);
  return {
    notice: (notice) => send(noticeSubject(notice.sessionId), notice),
    cancel: (cancel) => send(cancelSubject(cancel.callId), cancel),
    onNotice: (listener) => notices.listen(listener),
    onCancel: (listener) => cancels.listen(listener),
  };
}
