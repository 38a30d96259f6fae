import type { EventData } from '@writ/contracts';
import { callFromStaged, type CallState } from '../tool-call/state';
import type { SessionState } from './state';

/** What the next message has to name: the result of every call of the step before, in call order (A3). Undefined while one is open. */
export function shownResults(
  session: SessionState,
  calls: ReadonlyMap<string, CallState>,
): EventData<'AssistantMessageRecorded'>['results'] | undefined {
  const results: EventData<'AssistantMessageRecorded'>['results'] = [];
  for (const callId of session.step?.callIds ?? []) {
    const staged = session.calls.get(callId);
    const call = calls.get(callId) ?? (staged && callFromStaged(staged.staged, staged.settledInSession));
    if (call?.status !== 'settled') return undefined;
    const { stream, revision, digest } = call.result;
    results.push({ callId, stream, revision, digest });
  }
  return results;
}
