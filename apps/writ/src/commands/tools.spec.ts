import { sessionStream, toolTableSchema, type NewEvent, type PublishedTool } from '@writ/contracts';
import { InMemoryEventStore } from '@writ/event-store';
import { toolsetsOnRecord } from '@writ/protocol';
import {
  appendSealed,
  definitionDigest,
  digestOf,
  publishManifest,
  schemaValidation,
  seal,
  toolTableBody,
  toolTableDigest,
  usableTable,
} from '@writ/runtime';
import { clock, entropy } from '../system';
import { said } from '../testing/said';

function tool(name: string): PublishedTool {
  const definition = {
    ...{ name, description: `${name} it`, inputSchema: { type: 'object' }, effectClass: 'read' as const },
    ...{ concurrency: 'parallel' as const, timeoutMs: 1, fenced: false, delegate: false, version: '1' },
  };
  return {
    ...definition,
    definitionDigest: definitionDigest(definition),
    hasReadback: false,
    hasCheck: false,
  };
}

const config = {
  toolsets: { a: { tools: ['look'], includes: [] }, b: { tools: ['look', 'send'], includes: [] } },
  platforms: {},
};
const scope = { platform: 'api', toolsets: ['b'], disabledToolsets: ['a'] };
const tools = ['look', 'send'].map(tool);
const rows = usableTable({
  ...{ config, scope, manifests: [{ pool: 'p', tools }], validation: schemaValidation() },
});

const opened: NewEvent = {
  type: 'SessionOpened',
  data: {
    ...{ sessionId: 's', tenant: 't', ...scope, policyDigest: digestOf('p'), openedBy: 'me' },
    toolsetConfig: toolsetsOnRecord(config, scope),
  },
};
const stepWith = (toolTableDigestOfStep: string, step: number): NewEvent => ({
  type: 'AssistantMessageRecorded',
  data: {
    ...{ turnId: 't', step, text: '', model: 'm', finishReason: 'stop', results: [] },
    toolTableDigest: toolTableDigestOfStep,
  },
});

describe('the tools of one session, from the record', () => {
  const store = new InMemoryEventStore();
  const writ = (...line: readonly string[]) => said(line, { store });
  beforeAll(async () => {
    const context = { actor: { service: 'turn-orchestrator' as const }, correlationId: 's' };
    await publishManifest({ store, clock, entropy }, { pool: 'p', tools }, context);
    const head = { stream: sessionStream('s'), revision: 'no_stream' as const, lastDigest: null };
    const drafts = [opened, stepWith(toolTableDigest(rows), 1), stepWith(digestOf('forged'), 2)];
    const sealed = seal({ clock, entropy }, head, { drafts, context });
    expect(await appendSealed(store, sealed)).toMatchObject({ outcome: 'acknowledged' });
  });

  it('are explained with one reason each, to programs as HTTP explains them', async () => {
    const forPrograms = await writ('tools', 'explain', 's', '--json');
    expect(forPrograms).toEqual({ code: 0, stderr: '', stdout: `${JSON.stringify(toolTableBody(rows))}\n` });
    expect(toolTableSchema.parse(JSON.parse(forPrograms.stdout)).tools).toMatchObject([
      { name: 'look', visible: false, reason: 'toolset a is disabled' },
      { name: 'send', visible: true, reason: 'toolset b' },
    ]);
    const forPeople = await writ('tools', 'explain', 's');
    expect(forPeople.stdout).toMatch(/✗ +look +hidden +toolset a is disabled +read +sha256:/);
    expect(forPeople.stdout).toMatch(/✓ +send +visible +toolset b +read +sha256:/);
    expect(forPeople.stdout).toContain(`table ${toolTableDigest(rows)}`);
  });

  it('are shown as the model was shown them with a step', async () => {
    const { code, stdout } = await writ('tools', 'shown', 's', '--turn', 't', '--step', '1', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      digest: toolTableDigest(rows),
      tools: [{ ...tool('send'), pool: 'p' }],
    });
    const forPeople = await writ('tools', 'shown', 's', '--turn', 't', '--step', '1');
    expect(forPeople.stdout).toMatch(/send +p +send it +sha256:/);
  });

  it('are a finding where the record does not give what a step says it showed', async () => {
    expect(await writ('tools', 'shown', 's', '--turn', 't', '--step', '2')).toEqual({
      code: 1,
      stdout: '',
      stderr: `writ: nothing that was published gives the table ${digestOf('forged')} of this step\n`,
    });
  });

  it.each([
    [['tools', 'explain', 'nobody'], 'writ: there is no session nobody'],
    [['tools', 'explain', 's', '--at', '0'], 'writ: there is no session s'],
    [
      ['tools', 'shown', 's', '--turn', 't', '--step', '3'],
      'writ: there is no step 3 of turn t in session s',
    ],
    [
      ['tools', 'shown', 's', '--turn', 't', '--step', '0'],
      "error: option '--step <number>' argument '0' is invalid. It is a whole number from 1 on.",
    ],
    [['tools', 'shown', 's', '--turn', 't'], "error: required option '--step <number>' not specified"],
  ])('%j is wrong usage', async (line, problem) => {
    expect(await writ(...line)).toEqual({ code: 2, stdout: '', stderr: `${problem}\n` });
  });
});
