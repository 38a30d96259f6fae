import type { WritEvent } from '@writ/contracts';
import {
  callsOf,
  finding,
  isBefore,
  isType,
  type Finding,
  type History,
  type RecordedCall,
  type RuleReport,
} from './history';

/**
 * A4: no start without authorization. Where the verdict was `ask`: a request, then a grant through the approval-service
 * by somebody who is named with how they were authenticated, in time, for that digest and that call. A rerun that a
 * person ordered carries an order of the same kind.
 */
export function checkA4(history: History): RuleReport {
  const calls = callsOf(history).filter((call) => call.events.some(isType('ToolExecutionStarted')));
  return {
    checked: calls.length,
    findings: calls.flatMap((call) => [...checkGrant(call), ...checkOrders(call)]),
  };
}

function checkGrant(call: RecordedCall): Finding[] {
  const { callId } = call;
  const staged = call.staged.find((event) => event.data.verdict === 'ask');
  const start = call.events.find(isType('ToolExecutionStarted'));
  if (!staged || !start) return [];
  const before = call.events.filter((event) => isBefore(event, start));
  const request = before.find(isType('ApprovalRequested'));
  const grant = before.find(isType('ApprovalGranted'));
  const broken = (text: string): Finding[] => [
    finding('A4', `call ${callId} ran ${text}`, [start, grant, request]),
  ];
  if (!grant) return broken('without the grant that it needs');
  if (!request || !isBefore(request, grant)) return broken('on a grant that nobody was asked for');
  if (before.some(isType('ApprovalDenied', 'ApprovalExpired')))
    return broken('although it was denied or had expired');
  const { argsDigest, decidedAt } = grant.data;
  if (
    grant.data.callId !== callId ||
    argsDigest !== staged.data.argsDigest ||
    request.data.argsDigest !== argsDigest
  ) {
    return broken('on a grant for something else');
  }
  // Times of one form (RFC 3339, UTC, milliseconds) sort as texts.
  if (decidedAt > request.data.deadline) return broken('on a grant that was decided after its deadline');
  return isByPerson(grant) ? [] : broken('on a grant by nobody who may decide');
}

function checkOrders(call: RecordedCall): Finding[] {
  return call.events
    .filter(isType('DoubtResolved'))
    .filter((order) => order.data.rerun && !isByPerson(order))
    .map((order) =>
      finding('A4', `call ${call.callId} was ordered to run again by nobody who may decide`, [order]),
    );
}

function isByPerson(event: WritEvent<'ApprovalGranted' | 'DoubtResolved'>): boolean {
  const { by, authentication } = event.data;
  return event.metadata.actor.service === 'approval-service' && by !== '' && authentication !== '';
}
