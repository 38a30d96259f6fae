/** How a call's state follows its events. Asserts that an event fits; what may happen is `decideCall`'s to say. */
import { callStream, type EventData, type LeaseEndReason, type WritEvent } from '@writ/contracts';
import { assert } from '../assert';
import {
  callFromStaged,
  settledResult,
  type CallFacts,
  type CallState,
  type CallTerms,
  type OpenCall,
  type PersonWait,
} from './state';

type Open = CallFacts & { readonly terms: CallTerms };

/** The state of a call from its staged event and everything in its own stream. */
export function foldCall(
  staged: WritEvent<'ToolCallStaged'>,
  callStreamEvents: readonly WritEvent[],
  settledInSession?: WritEvent<'ToolResultCommitted'>,
): CallState {
  return callStreamEvents.reduce(evolveCall, callFromStaged(staged, settledInSession));
}

/** Throws where the event cannot be the next one of this call: a bug, or a record that was tampered with. */
export function evolveCall(state: CallState, event: WritEvent): CallState {
  const due = state.revision === 'no_stream' ? 0 : state.revision + 1;
  assert(event.stream === callStream(state.callId), 'an event of another stream');
  assert(event.revision === due, `revision ${event.revision} where ${due} was due`);
  assert(event.metadata.predecessor === state.lastDigest, 'an event names another predecessor');
  if (event.type === 'LateResultRecorded' || event.type === 'LateDecisionRecorded') {
    const late = event.type === 'LateResultRecorded' ? lateResult(event.data) : {};
    const at = { revision: event.revision, lastDigest: event.metadata.digest };
    return { ...state, ...at, late: [...state.late, late] };
  }
  assert(state.status !== 'settled', `${event.type} after the result`);
  const next = follow(state, event);
  assert(next !== undefined, `${event.type} does not fit a call that is ${state.status}`);
  return next;
}

function lateResult(data: EventData<'LateResultRecorded'>): CallFacts['late'][number] {
  return { digest: data.digest, ...(data.epoch !== undefined && { epoch: data.epoch }) };
}

function follow(state: OpenCall, event: WritEvent): CallState | undefined {
  const facts = factsAfter(state, event);
  switch (event.type) {
    case 'ApprovalRequested':
      return afterRequest(state, event, facts);
    case 'ApprovalGranted':
    case 'ApprovalDenied':
    case 'ApprovalExpired':
      return afterDecision(state, event, facts);
    case 'ToolExecutionStarted':
      return afterStart(state, event, facts);
    case 'ToolExecutionTakenOver':
      return afterTakeover(state, event, facts);
    case 'ReadbackRecorded':
      return afterReadback(state, event, facts);
    case 'DoubtHeld':
      return afterHold(state, event, facts);
    case 'DoubtResolved':
      return afterResolution(state, event, facts);
    case 'ToolResultCommitted':
      return afterResult(event, facts);
    default:
      return undefined;
  }
}

/** What every state has, without the fields of the status that is left. */
function factsAfter(state: OpenCall, event: WritEvent): Open {
  const { callId, sessionId, turnId, step, index, staged, terms } = state;
  const { epochs, attempts, silentRun, decision, waits, late } = state;
  return {
    callId,
    sessionId,
    turnId,
    step,
    index,
    staged,
    terms,
    epochs,
    attempts,
    silentRun,
    waits,
    late,
    ...(decision !== undefined && { decision }),
    revision: event.revision,
    lastDigest: event.metadata.digest,
  };
}

function afterRequest(
  state: OpenCall,
  event: WritEvent<'ApprovalRequested'>,
  facts: Open,
): CallState | undefined {
  if (state.status !== 'awaiting_approval' || state.requested !== undefined) return undefined;
  const requested = { revision: event.revision, deadline: event.data.deadline };
  return {
    ...facts,
    waits: [...facts.waits, { from: event.metadata.at }],
    status: 'awaiting_approval',
    requested,
  };
}

type Decided = WritEvent<'ApprovalGranted' | 'ApprovalDenied' | 'ApprovalExpired'>;
const answers = { ApprovalGranted: 'granted', ApprovalDenied: 'denied', ApprovalExpired: 'expired' } as const;

function afterDecision(state: OpenCall, event: Decided, facts: Open): CallState | undefined {
  if (state.status !== 'awaiting_approval' || state.requested === undefined || state.decision !== undefined)
    return undefined;
  const { by, decidedAt } = event.data;
  const decided = {
    ...facts,
    decision: { answer: answers[event.type], by, decidedAt },
    waits: ended(facts.waits, event.metadata.at),
  };
  // A denial or an expiry is one append with its result, which settles the call.
  return event.type === 'ApprovalGranted'
    ? { ...decided, status: 'ready' }
    : { ...decided, status: 'awaiting_approval', requested: state.requested };
}

function afterStart(
  state: OpenCall,
  event: WritEvent<'ToolExecutionStarted'>,
  facts: Open,
): CallState | undefined {
  const { epoch, attempt, instance: holder, deadline } = event.data;
  if (attempt !== state.attempts + 1) return undefined;
  if (epoch === undefined && state.status === 'ready') {
    const epochs = [...facts.epochs, event.revision];
    return {
      ...facts,
      epochs,
      attempts: attempt,
      status: 'running',
      epoch: event.revision,
      attempt,
      holder,
      deadline,
    };
  }
  if (state.status !== 'reconciling' || state.epoch !== epoch || state.holder !== holder) return undefined;
  return { ...facts, attempts: attempt, status: 'running', epoch, attempt, holder, deadline };
}

function afterTakeover(
  state: OpenCall,
  event: WritEvent<'ToolExecutionTakenOver'>,
  facts: Open,
): CallState | undefined {
  if (state.status !== 'running' && state.status !== 'reconciling') return undefined;
  const { supersededEpoch, instance: holder, holder: was } = event.data;
  if (state.epoch !== supersededEpoch) return undefined;
  // A holder that was only reconciling has run nothing; what counts is how the last one ended that had.
  const ranAndWas = state.status === 'running' ? was : state.holderWas;
  const silentRun = facts.silentRun || ranAndWas === 'silent';
  const holderWas: LeaseEndReason = silentRun ? 'silent' : ranAndWas;
  return {
    ...facts,
    epochs: [...facts.epochs, event.revision],
    silentRun,
    status: 'reconciling',
    epoch: event.revision,
    holder,
    holderWas,
    takenOverAt: event.metadata.at,
    ...(state.status === 'reconciling' && state.readback !== undefined && { readback: state.readback }),
  };
}

function afterReadback(
  state: OpenCall,
  event: WritEvent<'ReadbackRecorded'>,
  facts: Open,
): CallState | undefined {
  if (state.status !== 'reconciling' || state.epoch !== event.data.epoch) return undefined;
  const { epoch, effect, evidence, result } = event.data;
  const { holder, holderWas, takenOverAt } = state;
  const readback = { epoch, effect, evidence, ...(result !== undefined && { result }) };
  return { ...facts, status: 'reconciling', epoch, holder, holderWas, takenOverAt, readback };
}

function afterHold(state: OpenCall, event: WritEvent<'DoubtHeld'>, facts: Open): CallState | undefined {
  if (state.status !== 'reconciling' || state.epoch !== event.data.epoch) return undefined;
  const { epoch, deadline, evidence } = event.data;
  const heldAt = event.metadata.at;
  return {
    ...facts,
    waits: [...facts.waits, { from: heldAt }],
    status: 'held',
    ...{ epoch, heldAt, holderWas: state.holderWas, deadline, evidence },
    ...(state.readback !== undefined && { readback: state.readback }),
  };
}

function afterResolution(
  state: OpenCall,
  event: WritEvent<'DoubtResolved'>,
  facts: Open,
): CallState | undefined {
  if (state.status !== 'held' || state.resolved !== undefined) return undefined;
  const { by, effect, evidence, rerun } = event.data;
  const waits = ended(facts.waits, event.metadata.at);
  // Ready, not owned: a held call needs no holder, so whoever is free claims the rerun under a new epoch.
  if (rerun) return { ...facts, waits, status: 'ready', order: { by, revision: event.revision, evidence } };
  const { epoch, heldAt, holderWas, deadline, readback } = state;
  return {
    ...facts,
    waits,
    status: 'held',
    ...{ epoch, heldAt, holderWas, deadline, evidence: state.evidence },
    ...(readback !== undefined && { readback }),
    resolved: effect,
  };
}

function afterResult(event: WritEvent<'ToolResultCommitted'>, facts: Open): CallState | undefined {
  if (event.data.epoch !== facts.epochs.at(-1)) return undefined;
  const { terms: _, ...rest } = facts;
  const waits = ended(facts.waits, event.metadata.at);
  return { ...rest, waits, status: 'settled', result: settledResult(event) };
}

function ended(waits: readonly PersonWait[], to: string): readonly PersonWait[] {
  return waits.map((wait) => (wait.to === undefined ? { ...wait, to } : wait));
}
