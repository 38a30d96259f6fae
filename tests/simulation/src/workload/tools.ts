import type { EffectClass, PublishedTool } from '@writ/contracts';
import type { CompiledPolicy, ToolsetConfig } from '@writ/protocol';
import { definitionDigest, digestOf, schemaValidation, type SessionRules } from '@writ/runtime';
import { simulationLimits } from '../limits';

export const pool = 'default';

interface Kind {
  readonly effectClass: EffectClass;
  readonly fenced?: true;
  readonly hasReadback?: true;
  readonly hasCheck?: true;
  readonly exclusive?: true;
}

const kinds = {
  look_up: { effectClass: 'read' },
  look_alone: { effectClass: 'read', exclusive: true },
  put: { effectClass: 'idempotent' },
  put_checked: { effectClass: 'idempotent', hasCheck: true, hasReadback: true },
  pay: { effectClass: 'reconcilable', hasReadback: true },
  pay_fenced: { effectClass: 'reconcilable', hasReadback: true, fenced: true },
  pay_alone: { effectClass: 'reconcilable', hasReadback: true, exclusive: true },
  send: { effectClass: 'irreversible' },
  send_checked: { effectClass: 'irreversible', hasCheck: true },
} as const satisfies { readonly [name: string]: Kind };

export type ToolName = keyof typeof kinds;
const allNames: readonly string[] = Object.keys(kinds);
export const toolNames: readonly [ToolName, ...ToolName[]] = [
  'look_up',
  'look_alone',
  'put',
  'put_checked',
  'pay',
  'pay_fenced',
  'pay_alone',
  'send',
  'send_checked',
];

function published([name, kind]: [string, Kind]): PublishedTool {
  const definition = {
    name,
    description: name,
    inputSchema: {
      type: 'object',
      properties: { n: { type: 'integer' }, gate: { type: 'string' } },
      required: ['n', 'gate'],
    },
    effectClass: kind.effectClass,
    concurrency: kind.exclusive === true ? ('exclusive' as const) : ('parallel' as const),
    timeoutMs: simulationLimits.toolTimeoutMs,
    fenced: kind.fenced === true,
    delegate: false,
    version: '1',
  };
  return {
    ...definition,
    definitionDigest: definitionDigest(definition),
    hasReadback: kind.hasReadback === true,
    hasCheck: kind.hasCheck === true,
  };
}

export const publishedTools: readonly PublishedTool[] = Object.entries(kinds).map(published);
export const toolsByName: ReadonlyMap<string, PublishedTool> = new Map(
  publishedTools.map((tool) => [tool.name, tool]),
);

/** `gate` in a call's arguments says how the policy treats it. */
const gated = (pattern: RegExp) => ({ args: [{ key: 'gate', pattern }] });
const policy: CompiledPolicy = {
  rules: [
    { match: gated(/^ask/), decide: 'ask', deadlineMs: simulationLimits.approvalDeadlineMs },
    { match: gated(/^never/), decide: 'refuse', reason: 'never' },
    { match: gated(/^hold/), decide: 'allow', onDoubt: 'hold_for_person' },
    { match: gated(/^open/), decide: 'allow' },
  ],
  onDoubt: 'tell_model',
};
const toolsets: ToolsetConfig = {
  toolsets: { all: { tools: [...allNames], includes: [] } },
  platforms: { api: { toolsets: ['all'] } },
};

/** Compiled schemas are kept over all runs of a program: they depend on the definitions alone. */
const validation = schemaValidation();

export const rules: SessionRules = {
  toolsets,
  policy,
  policyDigest: digestOf('simulation'),
  budgets: simulationLimits.budgets,
  model: simulationLimits.model,
  validation,
  commitGraceMs: simulationLimits.commitGraceMs,
  unclaimedMs: simulationLimits.unclaimedMs,
};
