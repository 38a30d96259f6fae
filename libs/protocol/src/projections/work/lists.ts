import type { OpenCallWork, SessionItem, SessionWork, WorkState } from '@writ/contracts';
import { comparePositions } from '../position';
import { entriesOf, findById } from './by-id';

/** An open call with where to look for it: lists point, whoever acts reads the streams themselves. */
export type CallAt = OpenCallWork & { readonly sessionId: string };

export interface SessionPage {
  /** The last session of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Sessions as HTTP lists them, newest first. */
export function sessionItems(state: WorkState, page?: SessionPage): SessionItem[] {
  const end =
    page?.after === undefined ? state.order.length : Math.max(0, state.order.lastIndexOf(page.after));
  const begin = page === undefined ? 0 : Math.max(0, end - page.limit);
  return state.order
    .slice(begin, end)
    .reverse()
    .flatMap((id) => {
      const session = findById(state.open, id) ?? findById(state.idle, id);
      return session ? [itemOf(session)] : [];
    });
}

function itemOf(session: SessionWork): SessionItem {
  const { sessionId, openedAt, lastEventAt, calls } = session;
  return {
    sessionId,
    openedAt,
    lastEventAt,
    status: statusOf(session),
    openCalls: calls.length,
    inDoubtCalls: calls.filter(isInDoubt).length,
  };
}

function statusOf({ turn, calls }: SessionWork): SessionItem['status'] {
  if (!turn && calls.length === 0) return 'idle';
  const next = Math.min(...calls.map((call) => call.segment));
  const waits = (call: OpenCallWork): boolean =>
    call.held !== undefined || (isUndecided(call) && call.segment === next);
  return calls.some(waits) ? 'waiting_for_person' : 'running';
}

const isUndecided = (call: OpenCallWork): boolean => call.asked?.granted === false;
/** Started, not settled, and its holder lost: a held call, or one whose epoch was superseded and did not run again. */
const isInDoubt = (call: OpenCallWork): boolean =>
  call.held !== undefined || call.holder?.doubtSince !== undefined;

/** Sessions with an open turn, an open call or an owner that has not let go; what a starting orchestrator looks at. */
export const openSessions = (state: WorkState): SessionWork[] => entriesOf(state.open);

/** Staged calls that a person must decide and nobody has, oldest first. */
export const pendingApprovals = (state: WorkState): CallAt[] => callsThat(state, isUndecided);

/** A call that nothing but an executor's claim is waited for, and since when nothing has moved in its session. */
export type UnclaimedCall = CallAt & { readonly quietSince: string };

/** Calls that an executor may claim and none has, oldest first; those of later segments are not there to be claimed. */
export const unclaimed = (state: WorkState): UnclaimedCall[] =>
  openSessions(state)
    .flatMap(({ sessionId, lastEventAt: quietSince, calls }) => {
      const next = Math.min(...calls.map((call) => call.segment));
      return calls
        .filter((call) => call.segment === next && isClaimable(call))
        .map((call) => ({ ...call, sessionId, quietSince }));
    })
    .sort((a, b) => comparePositions(a.stagedPosition, b.stagedPosition));

const isClaimable = (call: OpenCallWork): boolean =>
  call.holder === undefined && call.held === undefined && !isUndecided(call);

/** Calls in doubt, held ones among them, oldest first. */
export const inDoubt = (state: WorkState): CallAt[] => callsThat(state, isInDoubt);

function callsThat(state: WorkState, holds: (call: OpenCallWork) => boolean): CallAt[] {
  return openSessions(state)
    .flatMap(({ sessionId, calls }) => calls.filter(holds).map((call) => ({ ...call, sessionId })))
    .sort((a, b) => comparePositions(a.stagedPosition, b.stagedPosition));
}
