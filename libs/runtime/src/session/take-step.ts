import type { NewEvent, ToolsetsOnRecord } from '@writ/contracts';
import { policyFor, shownResults, toolsetsOnRecord, toOpenai, visibleTools } from '@writ/protocol';
import { keptText } from '../arguments';
import { digestOf } from '../digest';
import type { ModelReply } from '../ports';
import { proposeRound, toolTableDigest, usableTable } from '../tool-round';
import { askModel } from './ask-model';
import { endInstead } from './end-instead';
import type { SessionOwner } from './session-owner';

/** One step: ask the model with what is on record, judge its reply, and put it on record in one append (R2, R5). */
export async function takeStep(owner: SessionOwner, step: number): Promise<'again' | 'reload'> {
  const { ports, rules, memory } = owner;
  const { session } = memory;
  const { turn } = session;
  if (turn === null) return 'reload';
  if (step > 1) ports.crash.pass('K9');
  const rows = tableOf(owner);
  const messages = toOpenai(memory.transcript).messages;
  const answer = await owner.whileAsking((signal) =>
    askModel(ports, rules, {
      sessionId: session.sessionId,
      step,
      repliesBefore: session.replies,
      messages,
      tools: visibleTools(rows),
      signal,
    }),
  );
  // A reply that comes after the lease could not be renewed is not staged (R10); the next owner asks again.
  if (answer.ok === 'stopped' || !ports.lease.mayAct()) return 'again';
  if (!answer.ok) return owner.end({ type: 'TurnFailed', code: 'model_failed', message: answer.cause });
  ports.crash.pass('K0');
  const { reply } = answer;
  const round = proposeRound(reply, {
    sessionId: session.sessionId,
    turnId: turn.turnId,
    step,
    visible: visibleTools(rows),
    aliases: rules.toolsets.aliases,
    policy: policyFor(rules.policy, session.opened),
    budgets: turn.budgets,
    callsUsed: callsUsed(owner, turn.turnId),
    entropy: ports.entropy,
    validation: owner.rules.validation,
  });
  ports.log.info('round_validated', {
    sessionId: session.sessionId,
    turnId: turn.turnId,
    step,
    calls: round.calls.length,
  });
  return record(owner, { step, reply, events: round.events, toolTableDigest: toolTableDigest(rows) });
}

interface Step {
  readonly step: number;
  readonly reply: ModelReply;
  readonly events: readonly NewEvent<'ToolCallStaged' | 'ToolResultCommitted'>[];
  readonly toolTableDigest: string;
}

async function record(
  owner: SessionOwner,
  { step, reply, events, toolTableDigest: digest }: Step,
): Promise<'again' | 'reload'> {
  const { log } = owner.ports;
  const { sessionId, turn } = owner.memory.session;
  if (turn === null) return 'reload';
  const { model, finishReason, usage } = reply;
  const text = keptText(reply.text);
  const message = {
    turnId: turn.turnId,
    step,
    text,
    model,
    finishReason,
    ...(usage === undefined ? {} : { usage }),
    toolTableDigest: digest,
    ...toolsetsUnrecorded(owner),
    results: shownResults(owner.memory.session, owner.memory.calls) ?? [],
  };
  const write = await owner.write({ type: 'RecordStep', ...owner.self(), message, ...parted(events) });
  switch (write.result) {
    case 'stands': {
      const staged = write.events.filter((event) => event.type === 'ToolCallStaged');
      const position = write.events.at(-1)?.position;
      log.info('step_staged', {
        sessionId,
        turnId: turn.turnId,
        step,
        position,
        calls: staged.map(({ data }) => data.callId),
      });
      return 'again';
    }
    case 'unknown':
      return endInstead(owner, write);
    case 'too_large':
      return owner.end({
        type: 'TurnFailed',
        code: 'session_persistence_failed',
        cause: 'append_too_large',
        message: 'The step is larger than one append of the store may be, so nothing of it was run.',
      });
    case 'rejected':
      if (write.code === 'lease_must_be_current') return 'reload';
      return owner.end({
        type: 'TurnFailed',
        code: 'model_failed',
        message: `The reply breaks a rule of the record: ${write.code}`,
      });
    case 'overtaken':
    case 'ignored':
      return 'reload';
  }
}

function tableOf(owner: SessionOwner) {
  const { opened } = owner.memory.session;
  const { platform, toolsets, disabledToolsets } = opened;
  return usableTable({
    config: owner.rules.toolsets,
    scope: { platform, toolsets, disabledToolsets },
    manifests: owner.ports.catalog.current(),
    validation: owner.rules.validation,
  });
}

/** What the orchestrator's file says of this session, where the record has it otherwise: it was restarted with another. */
function toolsetsUnrecorded({ rules, memory }: SessionOwner): { readonly toolsetConfig?: ToolsetsOnRecord } {
  const { opened, toolsetConfig } = memory.session;
  const inForce = toolsetsOnRecord(rules.toolsets, opened);
  return digestOf(inForce) === digestOf(toolsetConfig) ? {} : { toolsetConfig: inForce };
}

const parted = (events: Step['events']) => ({
  staged: events.flatMap((event) => (event.type === 'ToolCallStaged' ? [event.data] : [])),
  refusedResults: events.flatMap((event) => (event.type === 'ToolResultCommitted' ? [event.data] : [])),
});

const callsUsed = (owner: SessionOwner, turnId: string): number =>
  [...owner.memory.calls.values()].filter(
    (call) => call.turnId === turnId && call.staged.data.verdict !== 'refused',
  ).length;
