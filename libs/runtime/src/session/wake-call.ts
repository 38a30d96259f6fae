import type { SessionPorts } from './session-ports';

interface WakeWork {
  readonly callId: string;
  readonly stagedRevision: number;
}

/**
 * First dispatch, redispatch and every later wake are this one publish (protocol 6). Lost ones cost time only, so the
 * broker's answer is not waited for: the calls of a batch are woken together, and each again by its own pace.
 */
export function wakeExecutor(
  ports: SessionPorts,
  sessionId: string,
  work: WakeWork & { readonly pool: string },
): void {
  ports.crash.pass('K2');
  const { callId, stagedRevision, pool } = work;
  // Said before it is done: an executor may claim before the broker's answer is here.
  ports.log.info('call_woken', { callId, sessionId, pool });
  const publishing = ports.bus.wakeExecutor(pool, { version: 1, sessionId, callId, stagedRevision });
  ports.crash.pass('K3', publishing);
  void publishing.then((outcome) => {
    if (outcome === 'unknown') ports.log.warn('wake_unknown', { callId, sessionId, pool });
  });
}

export async function wakeApprovals(ports: SessionPorts, sessionId: string, work: WakeWork): Promise<void> {
  const { callId, stagedRevision } = work;
  const published = await ports.bus.wakeApprovals({ version: 1, sessionId, callId, stagedRevision });
  ports.log.info('approvals_woken', { callId, sessionId, published });
}
