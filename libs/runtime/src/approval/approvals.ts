import type { Wake } from '@writ/contracts';
import { pendingApproval, type AwaitingCall, type CallCommand, type CallState } from '@writ/protocol';
import { writeCall, type CallWrite, type CallWriterPorts } from '../call/call-writer';
import { loadCall } from '../call/load-call';
import { sealResult } from '../executor/result-of-run';
import type { SealContext } from '../journal/seal';
import { runtimeLimits } from '../limits';
import type { Bus, CrashPoint } from '../ports';
import { previewOf } from './preview';

export interface ApprovalPorts extends CallWriterPorts {
  readonly bus: Bus;
  /** Who appends. */
  context(): SealContext;
}

/** Where a call is staged: enough to read all of it. */
export type CallPlace = Pick<Wake, 'sessionId' | 'callId' | 'stagedRevision'>;

/** Who answers, and how that is known. */
export interface Identity {
  readonly by: string;
  readonly authentication: string;
}

/** A person's answer; `decidedAt` is what it is judged by, live and in replay (protocol 3). */
export interface PersonsAnswer extends Identity {
  readonly answer: 'grant' | 'deny';
  readonly argsDigest: string;
  readonly decidedAt: string;
  readonly comment?: string | undefined;
}

/** The approval-service's part of a call: asks a person, records the answer, records that none came in time (R6, R7). */
export class Approvals {
  constructor(private readonly ports: ApprovalPorts) {}

  /** What the call is owed now: its request, its expiry, or nothing. Answers the state as it is then known. */
  async attend(place: CallPlace): Promise<CallState | undefined> {
    const loaded = await loadCall(this.ports.store, place);
    if (loaded.outcome !== 'call') return undefined;
    const { state } = loaded;
    const work = pendingApproval(state, this.ports.clock.wallMs());
    if (state.status !== 'awaiting_approval') return state;
    if (work.do === 'request') return this.request(state);
    return work.do === 'expire' ? this.expire(state) : state;
  }

  /** Judges a person's answer on the call as it stands; `late` is kept as evidence where it came too late. */
  async decide(state: CallState, answer: PersonsAnswer): Promise<CallWrite> {
    const { by, authentication, decidedAt, argsDigest, comment } = answer;
    const given = {
      by,
      authentication,
      decidedAt,
      argsDigest,
      ...(comment === undefined ? {} : { comment }),
    };
    const command: CallCommand =
      answer.answer === 'grant'
        ? { type: 'Grant', ...given }
        : { type: 'Deny', ...given, result: denied(comment) };
    const write = await this.write(state, command, 'P1');
    if (write.result === 'overtaken') return this.decide(write.state, answer);
    if (write.result === 'not_allowed' && isLate.has(write.code)) {
      const late = { by, decidedAt, answer: answer.answer, ...(comment === undefined ? {} : { comment }) };
      await this.write(state, { type: 'RecordLateDecision', ...late });
    }
    return write;
  }

  /** Core NATS, lossy: an owner that misses it polls (protocol 6). */
  notice({ sessionId, callId, revision }: CallState): void {
    if (revision !== 'no_stream') this.ports.bus.notice({ version: 1, sessionId, callId, revision });
  }

  private async request(state: AwaitingCall): Promise<CallState | undefined> {
    const { clock, crash, log } = this.ports;
    const { callId, sessionId, staged, terms } = state;
    crash.pass('P0');
    const waitsMs = staged.data.approvalDeadlineMs ?? runtimeLimits.approvalMs;
    const write = await this.write(
      state,
      {
        type: 'RequestApproval',
        sessionId,
        stagedRevision: staged.revision,
        argsDigest: terms.argsDigest,
        previewDigest: previewOf(terms.tool, staged.data.rawArguments).digest,
        deadline: new Date(clock.wallMs() + waitsMs).toISOString(),
      },
      'P1',
    );
    if (write.result === 'stands') log.info('approval_requested', { callId, sessionId });
    return this.told(write);
  }

  private async expire(state: AwaitingCall): Promise<CallState | undefined> {
    const { clock, crash, log } = this.ports;
    const { callId, sessionId, terms } = state;
    crash.pass('P4');
    const write = await this.write(state, {
      type: 'Expire',
      by: 'deadline',
      authentication: 'none',
      decidedAt: new Date(clock.wallMs()).toISOString(),
      argsDigest: terms.argsDigest,
      result: sealResult({
        outcome: 'expired',
        effect: 'none',
        code: 'approval_expired',
        content: [{ type: 'text', text: 'Not run: nobody decided about this call in time.' }],
      }),
    });
    if (write.result === 'stands') log.info('approval_expired', { callId, sessionId });
    return this.told(write);
  }

  private told(write: CallWrite): CallState | undefined {
    if (write.result === 'stands') this.notice(write.state);
    return 'state' in write ? write.state : undefined;
  }

  private write(state: CallState, command: CallCommand, inFlight?: CrashPoint): Promise<CallWrite> {
    return writeCall(this.ports, state, {
      command,
      context: { ...this.ports.context(), correlationId: state.sessionId, causationId: state.staged.id },
      patience: 'one_try',
      ...(inFlight === undefined ? {} : { inFlight }),
    });
  }
}

const isLate: ReadonlySet<string> = new Set(['approval_expired', 'already_settled']);

function denied(comment: string | undefined) {
  const said =
    comment === undefined
      ? 'Not run: a person denied this call.'
      : `Not run: a person denied this call: ${comment}`;
  return sealResult({
    outcome: 'denied',
    effect: 'none',
    code: 'denied',
    content: [{ type: 'text', text: said }],
  });
}
