import {
  callStream,
  idSchema,
  sessionStream,
  type ResolutionRequest,
  type ResolutionResponse,
  type WorkState,
  type WritEvent,
} from '@writ/contracts';
import { openSessions } from '@writ/protocol';
import { loadCall } from '../call/load-call';
import { readOne, readWhole } from '../journal/read';
import type { ProjectionRunner } from '../projection/projection-runner';
import { refused, storeAway, type Refused } from '../session/refused';
import type { ApprovalPorts, CallPlace, Identity } from './approvals';
import { Resolutions, type Resolved } from './resolutions';

/** Where a person says what came of a call in doubt; the call's stream decides whether that word comes in time. */
export class DoubtDesk {
  private readonly resolutions: Resolutions;

  constructor(
    private readonly ports: ApprovalPorts,
    private readonly work: ProjectionRunner<WorkState>,
  ) {
    this.resolutions = new Resolutions(ports);
  }

  async resolve(
    callId: string,
    request: ResolutionRequest,
    who: Identity,
  ): Promise<ResolutionResponse | Refused> {
    const place = await this.placeOf(callId);
    if ('refused' in place) return place;
    const loaded = await loadCall(this.ports.store, place);
    if (loaded.outcome === 'untrue') return refused('already_settled', loaded.problem);
    if (loaded.outcome !== 'call') return storeAway();
    const { effect, evidence, rerun = false, epoch } = request;
    const decidedAt = new Date(this.ports.clock.wallMs()).toISOString();
    const word = { effect, evidence, rerun, epoch, decidedAt, ...who };
    return this.answerTo(callId, await this.resolutions.resolve(loaded.state, word));
  }

  private answerTo(callId: string, resolved: Resolved): ResolutionResponse | Refused {
    switch (resolved.result) {
      case 'resolved': {
        const { order, state, isNew } = resolved;
        const { effect, rerun, by } = order.data;
        const { position } = order;
        if (isNew) this.ports.log.info('doubt_resolved', { callId, effect, rerun, position });
        // Core NATS, lossy: an owner that misses it polls (protocol 6).
        if (state.revision !== 'no_stream')
          this.ports.bus.notice({ version: 1, sessionId: state.sessionId, callId, revision: state.revision });
        return { callId, effect, rerun, by, at: order.metadata.at };
      }
      case 'too_late': {
        const { by, effect, rerun } = resolved.order?.data ?? {};
        const detail =
          by === undefined
            ? 'the call is not held for a person'
            : 'the call was resolved otherwise, or is held no longer';
        return refused('already_settled', detail, by === undefined ? undefined : { by, effect, rerun });
      }
      case 'no_rerun_left':
        return refused('invalid_request', 'the call has used up its epochs and never runs again', {
          field: 'rerun',
        });
      case 'unresolved':
        return refused('store_unavailable', 'the resolution could not be put on record');
    }
  }

  /** The projection knows where open calls are staged; of a settled one its own stream leads to its session. */
  private async placeOf(callId: string): Promise<CallPlace | Refused> {
    if (!idSchema.safeParse(callId).success) return noCall();
    for (const { sessionId, calls } of openSessions(this.work.current)) {
      const open = calls.find((call) => call.callId === callId);
      if (open !== undefined) return { callId, sessionId, stagedRevision: open.stagedRevision };
    }
    const first = await readOne(this.ports.store, callStream(callId), 0);
    if (first.outcome === 'not_found') return noCall();
    if (first.outcome !== 'events') return storeAway();
    const sessionId = first.events[0]?.metadata.$correlationId;
    if (sessionId === undefined) return noCall();
    const session = await readWhole(this.ports.store, sessionStream(sessionId));
    if (session.outcome !== 'events') return storeAway();
    const staged = session.events.find((event) => stages(event, callId));
    return staged === undefined ? noCall() : { callId, sessionId, stagedRevision: staged.revision };
  }
}

const stages = (event: WritEvent, callId: string): boolean =>
  event.type === 'ToolCallStaged' && event.data.callId === callId;

const noCall = (): Refused => refused('not_found', 'no such call is on record');
