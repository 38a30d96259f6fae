import {
  callStream,
  idSchema,
  type DecisionRequest,
  type DecisionResponse,
  type WorkState,
} from '@writ/contracts';
import { pendingApprovals, type CallState } from '@writ/protocol';
import { loadCall } from '../call/load-call';
import { readOne } from '../journal/read';
import { runtimeLimits } from '../limits';
import type { DeliveryVerdict } from '../ports';
import type { ProjectionRunner } from '../projection/projection-runner';
import { refused, storeAway, type Refused } from '../session/refused';
import { Approvals, type ApprovalPorts, type CallPlace, type Identity } from './approvals';

/** What is decided here: requests and expiries as they fall due, and a person's answers. */
export class ApprovalDesk {
  private readonly approvals: Approvals;
  private readonly stopping = new AbortController();
  private attending: Promise<void> | undefined;

  constructor(
    private readonly ports: ApprovalPorts,
    private readonly work: ProjectionRunner<WorkState>,
  ) {
    this.approvals = new Approvals(ports);
  }

  start(): void {
    this.attending = this.attendNowAndThen();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.attending;
  }

  /** A wake says where to look; the store says what is there. */
  async woken(place: CallPlace): Promise<DeliveryVerdict> {
    const state = await this.approvals.attend(place);
    return state === undefined ? { verdict: 'nak', delayMs: runtimeLimits.laterMs } : { verdict: 'ack' };
  }

  async decide(callId: string, request: DecisionRequest, who: Identity): Promise<Decided | Refused> {
    const place = await this.placeOf(callId);
    if ('refused' in place) return place;
    const state = await this.approvals.attend(place);
    if (state === undefined) return storeAway();
    if (state.staged.data.verdict !== 'ask') return noApproval();
    const decidedAt = new Date(this.ports.clock.wallMs()).toISOString();
    const { decision: answer, argsDigest, comment } = request;
    const write = await this.approvals.decide(state, { answer, argsDigest, comment, decidedAt, ...who });
    if (write.result === 'unresolved')
      return refused('store_unavailable', 'the decision could not be put on record');
    if (write.result === 'not_allowed') return this.whyNot(place, write.code);
    this.ports.crash.pass('P2');
    this.ports.log.info('approval_decided', {
      callId,
      answer,
      position: 'events' in write ? write.events.at(-1)?.position : undefined,
    });
    return { response: { callId, status: statuses[answer], by: who.by, at: decidedAt }, state: write.state };
  }

  /** The person has been answered; now the owner may hear of it. */
  answered({ state }: Decided): void {
    this.ports.crash.pass('P3');
    if (state !== undefined) this.approvals.notice(state);
  }

  private async whyNot(place: CallPlace, code: string): Promise<Decided | Refused> {
    const loaded = await loadCall(this.ports.store, place);
    const decision = loaded.outcome === 'call' ? loaded.state.decision : undefined;
    switch (code) {
      case 'args_digest_must_match':
        return refused(
          'args_digest_mismatch',
          'the digest is not that of the staged call; look at the call again',
          { field: 'argsDigest' },
        );
      case 'approval_expired':
        return refused('approval_expired', 'the deadline of this approval has passed');
      case 'already_granted':
      case 'already_denied':
        return decision === undefined
          ? noApproval()
          : {
              response: {
                callId: place.callId,
                status: code === 'already_granted' ? 'granted' : 'denied',
                by: decision.by,
                at: decision.decidedAt,
              },
            };
      case 'already_decided':
        return refused('already_decided', 'somebody decided otherwise before', {
          decision: decision?.answer,
          by: decision?.by,
        });
      case 'already_settled':
        return refused('already_settled', 'the call was settled without a decision');
      default:
        return noApproval();
    }
  }

  /** The list of what waits knows where a call is staged; a call that waits no more says it in its own stream. */
  private async placeOf(callId: string): Promise<CallPlace | Refused> {
    if (!idSchema.safeParse(callId).success) return noApproval();
    const waiting = pendingApprovals(this.work.current).find((call) => call.callId === callId);
    if (waiting !== undefined) return waiting;
    const first = await readOne(this.ports.store, callStream(callId), 0);
    if (first.outcome === 'unavailable') return storeAway();
    const event = first.outcome === 'events' ? first.events[0] : undefined;
    if (event?.type !== 'ApprovalRequested') return noApproval();
    const { sessionId, stagedRevision } = event.data;
    return { callId, sessionId, stagedRevision };
  }

  private async attendNowAndThen(): Promise<void> {
    const { clock } = this.ports;
    while (!this.stopping.signal.aborted) {
      await clock.sleep(runtimeLimits.attendEveryMs, this.stopping.signal);
      if (!this.work.upToDate) continue;
      for (const call of pendingApprovals(this.work.current)) {
        if (this.stopping.signal.aborted) return;
        if (isDue(call.asked?.requested?.deadline, clock.wallMs())) await this.approvals.attend(call);
      }
    }
  }
}

export interface Decided {
  readonly response: DecisionResponse;
  /** How the call stands after this decision; absent where it had been given before. */
  readonly state?: CallState;
}

/** Not asked yet, or past its deadline. */
const isDue = (deadline: string | undefined, nowMs: number): boolean =>
  deadline === undefined || Date.parse(deadline) < nowMs;

const statuses = { grant: 'granted', deny: 'denied' } as const;

const noApproval = (): Refused => refused('not_found', 'no approval of this call waits or was asked for');
