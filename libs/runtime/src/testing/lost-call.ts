/** A call whose holder is lost, over the store in memory, for specs of what becomes of it (R9). */
import {
  leaseStream,
  sessionStream,
  callStream,
  type EventData,
  type LeaseEndReason,
  type PublishedTool,
} from '@writ/contracts';
import type { CallCommand, CallState } from '@writ/protocol';
import { argumentsDigest } from '../arguments';
import { writeCall } from '../call/call-writer';
import { loadCall } from '../call/load-call';
import { appendSealed } from '../journal/append';
import { seal } from '../journal/seal';
import { countingEntropy, silentLog, toldClock } from './edge';
import { LossyStore } from './lossy-store';
import { visibleTool } from './tools';

const sessionId = 's1';
const callId = 'c1';
export const heir = 'tool-executor.e2#0';
const holder = 'tool-executor.e1#0';
const place = { sessionId, callId, stagedRevision: 0 };
const deadline = new Date(2_000_000).toISOString();

export interface LostCallOptions extends Partial<PublishedTool> {
  readonly onDoubt?: EventData<'ToolCallStaged'>['onDoubt'];
}

export async function lostCall({ onDoubt = 'hold_for_person', ...definition }: LostCallOptions) {
  const store = new LossyStore();
  const edge = { store, clock: toldClock(), entropy: countingEntropy(), log: silentLog };
  const ports = { ...edge, crash: { pass: () => undefined } };
  const tool = visibleTool('book', definition);
  const { name, definitionDigest, effectClass } = tool;
  const context = { actor: { service: 'tool-executor' as const }, correlationId: sessionId };
  const data: EventData<'ToolCallStaged'> = {
    ...{ callId, sessionId, turnId: 't1', step: 1, index: 0, providerCallId: 'p1', nameSent: name },
    ...{ tool: name, rawArguments: '{}', definitionDigest, effectClass, pool: 'default', segment: 0 },
    argsDigest: argumentsDigest({ tool: name, definitionDigest, args: {} }),
    ...{ timeoutMs: 1_000, verdict: 'allowed', rule: 'policy[0]', onDoubt, idempotencyKey: 'k1' },
  };
  const head = { stream: sessionStream(sessionId), revision: 'no_stream' as const, lastDigest: null };
  await appendSealed(store, seal(ports, head, { drafts: [{ type: 'ToolCallStaged', data }], context }));

  const now = async (): Promise<CallState> => {
    const loaded = await loadCall(store, place);
    if (loaded.outcome !== 'call') throw new Error(loaded.outcome);
    return loaded.state;
  };
  const did = async (command: CallCommand): Promise<CallState> => {
    const write = await writeCall(ports, await now(), { command, context, patience: 'one_try' });
    if (write.result !== 'stands') throw new Error(JSON.stringify(write));
    return write.state;
  };
  const { argsDigest } = data;
  const claimBy = (instance: string) =>
    did({ type: 'Claim', instance, ...place, pool: 'default', argsDigest, definitionDigest, deadline });
  const takeOver = (reason: LeaseEndReason, endedInstance = holder) => {
    const leaseEnded = { stream: leaseStream(holder), revision: 1 };
    return did({ type: 'TakeOver', instance: heir, endedInstance, leaseEnded, reason });
  };
  await claimBy(holder);
  const types = () => store.types(callStream(callId));
  return { ...{ ports, store, tool, context, place, now, did, claimBy, takeOver, types }, deadline };
}
