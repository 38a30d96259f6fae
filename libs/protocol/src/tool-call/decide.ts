import type { CallCommand } from './commands';
import { decideDeny, decideExpire, decideGrant, decideRequest } from './decide-approval';
import { decideResolve, decideSettleAbandoned } from './decide-doubt';
import { decideClaim, decideCommit, decideRefuseByCheck } from './decide-execution';
import { decideLateDecision, decideLateResult } from './decide-late';
import { decideHold, decideReadback, decideRerun, decideTakeOver } from './decide-takeover';
import type { CallDecision } from './result-event';
import type { CallState } from './state';

/** The one decider of a call, for all services. Its events are appended at `state.revision`, all in one append. */
export function decideCall(state: CallState, command: CallCommand): CallDecision {
  switch (command.type) {
    case 'Claim':
      return decideClaim(state, command);
    case 'RefuseByCheck':
      return decideRefuseByCheck(state, command);
    case 'CommitResult':
      return decideCommit(state, command);
    case 'TakeOver':
      return decideTakeOver(state, command);
    case 'RecordReadback':
      return decideReadback(state, command);
    case 'Rerun':
      return decideRerun(state, command);
    case 'HoldDoubt':
      return decideHold(state, command);
    case 'ResolveDoubt':
      return decideResolve(state, command);
    case 'SettleAbandoned':
      return decideSettleAbandoned(state, command);
    case 'RequestApproval':
      return decideRequest(state, command);
    case 'Grant':
      return decideGrant(state, command);
    case 'Deny':
      return decideDeny(state, command);
    case 'Expire':
      return decideExpire(state, command);
    case 'RecordLateResult':
      return decideLateResult(state, command);
    case 'RecordLateDecision':
      return decideLateDecision(state, command);
  }
}
