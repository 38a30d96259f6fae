import { streamPrefixes, type OpenCallWork, type SessionWork, type WritEvent } from '@writ/contracts';

/** The call as its staged event leaves it. */
export function openCallOf(event: WritEvent<'ToolCallStaged'>): OpenCallWork {
  const { callId, turnId, step, segment, tool, effectClass, verdict } = event.data;
  return inOrder({
    callId,
    turnId,
    step,
    segment: segment ?? 0,
    stagedRevision: event.revision,
    stagedAt: event.metadata.at,
    stagedPosition: event.position,
    tool,
    effectClass,
    asked: verdict === 'ask' ? { granted: false } : undefined,
  });
}

/** Keys in the order of the schema, so that a state read from its file goes on as the same bytes. */
function inOrder(call: OpenCallWork): OpenCallWork {
  const { callId, turnId, step, segment, stagedRevision, stagedAt, stagedPosition, tool } = call;
  const { effectClass, revision, asked, holder, held } = call;
  return {
    callId,
    turnId,
    step,
    segment,
    stagedRevision,
    stagedAt,
    stagedPosition,
    tool,
    effectClass,
    revision,
    asked,
    holder,
    held,
  };
}

/** The session after an event of one of its calls; a settled call leaves its count alone. */
export function withCallEvent(session: SessionWork, event: WritEvent): SessionWork {
  const seen = { ...session, lastEventAt: event.metadata.at };
  const callId =
    event.type === 'ToolResultCommitted' ? event.data.callId : event.stream.slice(streamPrefixes.call.length);
  const at = session.calls.findIndex((call) => call.callId === callId);
  const call = session.calls[at];
  if (!call) return seen;
  if (event.type === 'ToolResultCommitted') {
    return { ...seen, calls: session.calls.toSpliced(at, 1), settledCalls: session.settledCalls + 1 };
  }
  return {
    ...seen,
    calls: session.calls.with(at, inOrder(callAfter({ ...call, revision: event.revision }, event))),
  };
}

function callAfter(call: OpenCallWork, event: WritEvent): OpenCallWork {
  switch (event.type) {
    case 'ApprovalRequested': {
      const requested = { at: event.metadata.at, deadline: event.data.deadline };
      return { ...call, asked: { requested, granted: false } };
    }
    case 'ApprovalGranted':
      return { ...call, asked: { requested: call.asked?.requested, granted: true } };
    case 'ToolExecutionStarted': {
      const { instance, epoch } = event.data;
      return { ...call, holder: { instance, epoch: epoch ?? event.revision } };
    }
    case 'ToolExecutionTakenOver': {
      const doubtSince = call.holder?.doubtSince ?? event.metadata.at;
      return { ...call, holder: { instance: event.data.instance, epoch: event.revision, doubtSince } };
    }
    case 'DoubtHeld': {
      const { deadline, epoch } = event.data;
      return { ...call, held: { at: event.metadata.at, deadline, epoch } };
    }
    case 'DoubtResolved':
      return { ...call, holder: undefined, held: undefined };
    default:
      return call;
  }
}

/** The session with the calls of a lost holder in doubt; undefined where it holds none here. */
export function doubtCalls(session: SessionWork, ended: WritEvent<'LeaseEnded'>): SessionWork | undefined {
  const { instance } = ended.data;
  const isHeldBy = ({ holder }: OpenCallWork): boolean =>
    holder?.instance === instance && holder.doubtSince === undefined;
  if (!session.calls.some(isHeldBy)) return undefined;
  const calls = session.calls.map((call) =>
    call.holder && isHeldBy(call)
      ? { ...call, holder: { ...call.holder, doubtSince: ended.metadata.at } }
      : call,
  );
  return { ...session, calls };
}
