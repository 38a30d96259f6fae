import type {
  Budgets,
  OpenaiMessage,
  OpenSessionRequest,
  PublishedTool,
  Turn,
  Wake,
  WritEvent,
} from '@writ/contracts';
import { InMemoryEventStore } from '@writ/event-store';
import type { CompiledPolicy, ToolsetConfig } from '@writ/protocol';
import {
  Approvals,
  CallExecutor,
  digestOf,
  Instance,
  isRefused,
  openRecorded,
  openSession,
  publishManifest,
  schemaValidation,
  Sessions,
  ToolCatalog,
  type Model,
  type ModelOutcome,
  type ModelReply,
  type RunResult,
  type SessionRules,
  type ToolRequest,
  type ToolRunner,
} from '@writ/runtime';
import { alive, countingEntropy, directBus, errorLog, stillClock } from './edge';
import { pool, tools as allTools } from './tools';

export interface WorldOptions {
  readonly policy?: CompiledPolicy;
  readonly budgets?: Partial<Budgets>;
  readonly tools?: readonly PublishedTool[];
  /** What a person says of a call, by its place among those that were asked about. */
  readonly person?: (asked: number) => 'grant' | 'deny';
  /** What a tool returns, and after how many turns of the event loop. */
  readonly run?: (request: ToolRequest) => { readonly result: RunResult; readonly turns: number };
}

const validation = schemaValidation();
const edgeless = { tries: 3, timeoutMs: 60_000 };

/** One orchestrator, one executor and one person over one log, with a model that says what is put into its mouth. */
export class RoundWorld {
  readonly store = new InMemoryEventStore();
  /** Everything that a tool was run with. */
  readonly runs: ToolRequest[] = [];
  /** Every request to the model, as it was shown. */
  readonly shown: (readonly OpenaiMessage[])[] = [];
  readonly log = errorLog();
  /** What the model says next; then it is done. */
  readonly says: (ModelReply | ModelOutcome)[] = [];
  private readonly sessions: Sessions;
  private readonly executor: CallExecutor;
  private readonly approvals: Approvals;
  private readonly instances: readonly Instance[];
  private readonly catalog: ToolCatalog;
  private readonly ports;
  private readonly rules: { -readonly [K in keyof SessionRules]: SessionRules[K] };
  private asked = 0;

  private constructor(private readonly options: WorldOptions) {
    const tools = options.tools ?? allTools;
    const { store, log } = this;
    const crash = { pass: () => undefined };
    const edge = { store, clock: stillClock, entropy: countingEntropy(), log, crash };
    const bus = directBus(() => ({
      execute: (wake) => void this.executor.handle(wake),
      approve: (wake) => void this.answer(wake),
      notice: (notice) => this.sessions.notice(notice),
    }));
    const instanceOf = (service: 'turn-orchestrator' | 'tool-executor') =>
      new Instance({
        ...edge,
        probe: alive,
        ttlMs: 1_000_000_000,
        started: {
          ...{ service, name: 'one', version: '0', host: { name: 'h', bootId: 'b' }, pid: 1 },
          sockets: { process: '/s' },
        },
        onLost: () => undefined,
        onLeaseEnded: () => undefined,
        onClone: () => undefined,
      });
    const [owner, runner] = [instanceOf('turn-orchestrator'), instanceOf('tool-executor')];
    this.instances = [owner, runner];
    this.catalog = new ToolCatalog(store, log);
    this.rules = rulesOf(options, tools);
    this.ports = { ...edge, bus, model: this.model(), ...parts(owner), catalog: this.catalog };
    this.sessions = new Sessions(this.ports, this.rules);
    this.executor = new CallExecutor(
      { ...edge, bus, ...parts(runner), runner: this.toolRunner() },
      { pool, slots: 1_000, tools: new Map(tools.map((tool) => [tool.name, tool])) },
    );
    const context = () => ({ actor: { service: 'approval-service' as const }, correlationId: 'person' });
    this.approvals = new Approvals({ ...edge, bus, context });
  }

  static async start(options: WorldOptions = {}): Promise<RoundWorld> {
    const world = new RoundWorld(options);
    const tools = options.tools ?? allTools;
    for (const { lease } of world.instances) if (!(await lease.begin())) throw new Error('no instance');
    await world.publish(tools);
    while (!world.catalog.upToDate || world.catalog.current().length === 0)
      await new Promise((resolve) => setImmediate(resolve));
    return world;
  }

  async session(request: OpenSessionRequest = {}): Promise<string> {
    const context = { actor: { service: 'turn-orchestrator' as const } };
    const opened = await openSession(this.ports, this.rules, { request, context });
    if (isRefused(opened)) throw new Error(opened.refused);
    return opened.sessionId;
  }

  /** What the executors' pool publishes from now on; the executor itself has what it began with. */
  async publish(tools: readonly PublishedTool[]): Promise<void> {
    const context = { actor: { service: 'tool-executor' as const }, correlationId: 'tool-executor.one' };
    if (!(await publishManifest(this.ports, { pool, tools }, context))) throw new Error('no tools');
  }

  /** As if the orchestrator had been started again with another file. */
  reconfigure(toolsets: ToolsetConfig): void {
    this.rules.toolsets = toolsets;
  }

  /** Runs one turn to its end, the model answering with these replies and then with a last word. */
  async turn(sessionId: string, ...replies: readonly (ModelReply | ModelOutcome)[]): Promise<Turn> {
    this.says.splice(0, this.says.length, ...replies);
    const started = await this.sessions.startTurn(sessionId, { input: 'go' });
    if (isRefused(started)) throw new Error(started.refused);
    const ended = await this.sessions.ended(sessionId, started.turnId, this.log.failed);
    if (ended === undefined || isRefused(ended))
      throw new Error(`the turn has no end: ${this.log.errors.join('; ')}`);
    return ended;
  }

  /** What the log holds of a session and its calls, in log order. */
  events(sessionId: string): readonly WritEvent[] {
    return this.store.log.events.flatMap((recorded) => {
      if (recorded.stream.startsWith('$')) return [];
      const opened = openRecorded(recorded);
      if (!opened.ok) throw new Error(opened.problem);
      return opened.event.metadata.$correlationId === sessionId ? [opened.event] : [];
    });
  }

  async close(): Promise<void> {
    await this.sessions.stop();
    await this.executor.stop();
    await this.catalog.close();
    await Promise.all(this.instances.map((instance) => instance.end()));
  }

  private model(): Model {
    return {
      complete: ({ messages }) => {
        this.shown.push(messages);
        const said = this.says.shift() ?? lastWord;
        return Promise.resolve('ok' in said ? said : { ok: true, reply: said });
      },
    };
  }

  private toolRunner(): ToolRunner {
    const done = (request: ToolRequest) => ({
      result: { status: 'returned' as const, content: [{ type: 'text' as const, text: request.callId }] },
      turns: 0,
    });
    return {
      run: (request) => {
        this.runs.push(request);
        const { result, turns } = (this.options.run ?? done)(request);
        return { result: afterTurns(turns).then(() => result), kill: () => undefined };
      },
      check: () => Promise.resolve({ ok: true }),
      readback: () => Promise.resolve({ effect: 'unknown', evidence: null }),
      extend: () => undefined,
      rest: () => undefined,
      killAll: () => Promise.resolve(),
    };
  }

  private async answer(wake: Wake): Promise<void> {
    const state = await this.approvals.attend(wake);
    if (state?.status !== 'awaiting_approval') return;
    const answer = (this.options.person ?? (() => 'grant' as const))(this.asked);
    this.asked += 1;
    const decidedAt = new Date(stillClock.wallMs()).toISOString();
    const { argsDigest } = state.terms;
    const given = { answer, argsDigest, by: 'ann', authentication: 'local', decidedAt };
    const write = await this.approvals.decide(state, given);
    if (write.result === 'stands') this.approvals.notice(write.state);
  }
}

const lastWord: ModelReply = { text: 'done', calls: [], finishReason: 'stop', model: 'mouth' };
const parts = ({ lease, watch }: Instance) => ({ lease, watch });

async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function rulesOf({ policy, budgets }: WorldOptions, tools: readonly PublishedTool[]): SessionRules {
  return {
    toolsets: {
      toolsets: { all: { tools: tools.map(({ name }) => name), includes: [] } },
      platforms: { api: { toolsets: ['all'] } },
    },
    policy: policy ?? { rules: [{ match: {}, decide: 'allow' }], onDoubt: 'tell_model' },
    policyDigest: digestOf('policy'),
    budgets: {
      ...{ steps: 50, callsPerTurn: 200, callsPerBatch: 64, delegates: 3 },
      ...{ wallTimeMs: 1_800_000, roundTimeMs: 600_000, ...budgets },
    },
    model: edgeless,
    validation,
    commitGraceMs: 5_000,
    unclaimedMs: 60_000,
  };
}
