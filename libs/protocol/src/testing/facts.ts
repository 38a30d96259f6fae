/** Event data for specs with everything filled in; a spec says only what it is about. */
import type { Actor, EventData } from '@writ/contracts';

export const digest = (letter: string): string => `sha256:${letter.repeat(64).slice(0, 64)}`;

export const sessionId = 's1';
export const turnId = 't1';
export const owner = 'turn-orchestrator.o1#0';
export const executor = 'tool-executor.e1#0';
export const heir = 'tool-executor.e2#0';
export const desk = 'approval-service.a1#0';

/** Who writes: the owner under its session epoch, an executor under the call's, the desk for a person. */
export const byOwner = (epoch?: number): Actor => ({
  service: 'turn-orchestrator',
  instance: owner,
  ...(epoch === undefined ? {} : { epoch }),
});
export const byExecutor = (instance = executor, epoch?: number): Actor => ({
  service: 'tool-executor',
  instance,
  ...(epoch === undefined ? {} : { epoch }),
});
export const byDesk: Actor = { service: 'approval-service', instance: desk, person: 'ann' };

export const opened = (given: Partial<EventData<'SessionOpened'>> = {}): EventData<'SessionOpened'> => ({
  sessionId,
  tenant: 'default',
  platform: 'api',
  toolsets: ['ops'],
  disabledToolsets: [],
  policyDigest: digest('a'),
  openedBy: 'anonymous',
  ...given,
});

export const turn = (given: Partial<EventData<'TurnStarted'>> = {}): EventData<'TurnStarted'> => ({
  turnId,
  input: 'Please do it.',
  requestDigest: digest('b'),
  budgets: {
    steps: 50,
    callsPerTurn: 200,
    callsPerBatch: 64,
    wallTimeMs: 1_800_000,
    roundTimeMs: 600_000,
    delegates: 3,
  },
  ...given,
});

export const message = (
  step: number,
  given: Partial<EventData<'AssistantMessageRecorded'>> = {},
): EventData<'AssistantMessageRecorded'> => ({
  turnId,
  step,
  text: '',
  model: 'scripted',
  finishReason: 'tool_calls',
  toolTableDigest: digest('c'),
  results: [],
  ...given,
});

export const staged = (
  callId: string,
  given: Partial<EventData<'ToolCallStaged'>> = {},
): EventData<'ToolCallStaged'> => ({
  callId,
  sessionId,
  turnId,
  step: 1,
  index: 0,
  providerCallId: `call_${callId}`,
  nameSent: 'write_file',
  tool: 'write_file',
  rawArguments: '{"path":"notes.txt"}',
  argsDigest: digest('d'),
  definitionDigest: digest('e'),
  pool: 'default',
  effectClass: 'idempotent',
  segment: 0,
  timeoutMs: 60_000,
  verdict: 'allowed',
  rule: 'policy[0]',
  onDoubt: 'tell_model',
  idempotencyKey: `key-${callId}`,
  ...given,
});

export const start = (
  callId: string,
  stagedRevision: number,
  given: Partial<EventData<'ToolExecutionStarted'>> = {},
): EventData<'ToolExecutionStarted'> => ({
  callId,
  sessionId,
  stagedRevision,
  instance: executor,
  pool: 'default',
  argsDigest: digest('d'),
  definitionDigest: digest('e'),
  attempt: 1,
  idempotencyKey: `key-${callId}`,
  deadline: '2026-01-01T11:00:00.000Z',
  ...given,
});

export const result = (
  callId: string,
  given: Partial<EventData<'ToolResultCommitted'>> = {},
): EventData<'ToolResultCommitted'> => ({
  callId,
  outcome: 'succeeded',
  effect: 'applied',
  content: [{ type: 'text', text: `done ${callId}` }],
  digest: digest('f'),
  ...given,
});

export const approvalRequest = (
  callId: string,
  stagedRevision: number,
  given: Partial<EventData<'ApprovalRequested'>> = {},
): EventData<'ApprovalRequested'> => ({
  callId,
  sessionId,
  stagedRevision,
  rule: 'policy[1]',
  argsDigest: digest('d'),
  previewDigest: digest('1'),
  deadline: '2026-01-01T10:30:00.000Z',
  ...given,
});

export const decision = (
  callId: string,
  given: Partial<EventData<'ApprovalGranted'>> = {},
): EventData<'ApprovalGranted'> => ({
  callId,
  by: 'ann',
  authentication: 'local',
  decidedAt: '2026-01-01T10:05:00.000Z',
  argsDigest: digest('d'),
  ...given,
});
