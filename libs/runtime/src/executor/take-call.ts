import { streamPrefixes } from '@writ/contracts';
import type { CallState } from '@writ/protocol';
import type { HolderLease } from '../lease/lease-watch';
import { checkCall } from './check-call';
import type { HeldCall } from './held-call';

export type Claimed =
  | { readonly claimed: CallState }
  /** Another was first, or the stream had gone on unread: how the call stands now. */
  | { readonly overtaken: CallState }
  | undefined;

/** The claim, or undefined where the call must not run. */
export async function claim(held: HeldCall, state: CallState, pool: string): Promise<Claimed> {
  if ((await checkCall(held, state)) !== 'passes') return undefined;
  const { clock, log } = held.ports;
  const { instance, tool } = held;
  const { callId, sessionId, staged } = state;
  const write = await held.write(
    state,
    {
      type: 'Claim',
      instance,
      sessionId,
      stagedRevision: staged.revision,
      pool,
      argsDigest: staged.data.argsDigest,
      definitionDigest: tool.definitionDigest,
      deadline: new Date(clock.wallMs() + held.timeoutMs(state)).toISOString(),
    },
    'K4a',
  );
  if (write.result !== 'stands' || write.state.status !== 'running') {
    log.info('claim_lost', { callId, instance });
    return write.result === 'overtaken' ? { overtaken: write.state } : undefined;
  }
  const position = write.events.at(-1)?.position;
  log.info('call_claimed', { callId, sessionId, instance, epoch: write.state.epoch, position });
  return { claimed: write.state };
}

/** The takeover from a holder whose lease has ended on record, or undefined where another heir was first. */
export async function takeOver(
  held: HeldCall,
  state: CallState,
  lease: HolderLease,
): Promise<CallState | undefined> {
  if (lease.status !== 'ended') return undefined;
  const { stream, revision, reason } = lease.end;
  const { instance } = held;
  const endedInstance = stream.slice(streamPrefixes.lease.length).replace(/\.([0-9]+)$/, '#$1');
  const leaseEnded = { stream, revision };
  const write = await held.write(
    state,
    { type: 'TakeOver', instance, leaseEnded, reason, endedInstance },
    'H2',
  );
  if (write.result !== 'stands' || write.state.status !== 'reconciling') return undefined;
  const { epoch } = write.state;
  held.ports.log.info('call_taken_over', { callId: state.callId, instance, epoch, holder: reason });
  return write.state;
}
