import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { checkAnthropicMessages, checkOpenaiMessages } from '@writ/protocol';
import { call, startWorld, type World } from './world';

jest.setTimeout(90_000);

const writ = resolve(__dirname, '..', '..', '..', 'apps', 'writ', 'bin', 'writ.cjs');
const run = promisify(execFile);
const formats = ['canonical', 'openai', 'anthropic'] as const;

interface LogLine {
  readonly event: string;
  readonly at: number;
  readonly position?: string;
}

describe('what is on record is what everybody sees', () => {
  let world: World;
  let sessionId: string;
  let shown: readonly string[];

  beforeAll(async () => {
    world = await startWorld();
    const { client, model } = world;
    model.says(
      {
        text: 'first',
        calls: [call('echo', { text: 'grüße 😀' }, 'call_0'), call('nothing_like_it', '{"a":', 'call_0')],
      },
      {
        text: '',
        calls: [
          call('probe_write', { k: '1' }, 'call_0'),
          call('probe_once', { k: '2', fail: 'error' }, 'bad id !'),
        ],
      },
      { text: 'one answer' },
      { calls: [call('probe_write', { k: '3' }, 'call_0')] },
      { text: 'another answer' },
    );
    sessionId = await client.openSession({ instructions: 'Answer briefly.' });
    await client.runTurn(sessionId, 'first question');
    await client.runTurn(sessionId, 'second question');
    shown = await Promise.all(formats.map((format) => client.transcriptText(sessionId, format)));
  });
  afterAll(() => world.close());

  it('the messages of each request are, byte for byte, the transcript before the step that they led to', async () => {
    const { client, model } = world;
    const events = await eventsOf(sessionId);
    const steps = events.filter(({ type }) => type === 'AssistantMessageRecorded');
    expect(model.requests).toHaveLength(5);
    expect(steps).toHaveLength(5);
    for (const [index, step] of steps.entries()) {
      const before = events[events.indexOf(step) - 1];
      const rendered = await client.transcriptText(sessionId, 'openai', before?.position);
      const sent = /"messages":(\[.*?\])(?:,"(?:tools|model|stream)"|\}$)/s.exec(
        model.requests[index] ?? '',
      )?.[1];
      expect(rendered).toBe(`{"messages":${sent}}`);
    }
  });

  it('both renderings are legal for their providers, by a checker that shares nothing with the renderer', () => {
    const openai = JSON.parse(shown[1] ?? '') as { messages: never[] };
    const anthropic = JSON.parse(shown[2] ?? '') as { messages: never[] };
    expect(checkOpenaiMessages(openai.messages)).toEqual([]);
    expect(checkAnthropicMessages(anthropic.messages)).toEqual([]);
  });

  it('the log tells the order for one call over all services', () => {
    const { stack } = world;
    const lines = ['turn-orchestrator-1', 'tool-executor-1'].flatMap((name) =>
      stack
        .output(name)
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : [])),
    );
    const [staged] = lines.filter(
      (line) => line['event'] === 'step_staged' && line['sessionId'] === sessionId,
    );
    const callId = (staged?.['calls'] as readonly string[])[0];
    const told = lines.flatMap((line): LogLine[] => {
      const mine = line['callId'] === callId || (line['sessionId'] === sessionId && line['step'] === 1);
      const at = Date.parse(String(line['time']));
      return mine
        ? [
            {
              event: String(line['event']),
              at,
              ...(typeof line['position'] === 'string' ? { position: line['position'] } : {}),
            },
          ]
        : [];
    });
    const order = [
      'round_validated',
      'step_staged',
      'call_woken',
      'call_claimed',
      'tool_started',
      'call_committed',
    ];
    const times = order.map((event) => told.find((line) => line.event === event)?.at ?? Number.NaN);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.every(Number.isFinite)).toBe(true);
    const position = (event: string): bigint =>
      BigInt(told.find((line) => line.event === event)?.position ?? -1);
    expect(position('step_staged')).toBeLessThan(position('call_claimed'));
    expect(position('call_claimed')).toBeLessThan(position('call_committed'));
  });

  it('a restarted service without its projection files gives the same bytes, and so does the store alone', async () => {
    const { client, stack, folder } = world;
    for (const name of ['turn-orchestrator-1', 'tool-executor-1', 'approval-service-1'])
      await stack.stop(name);
    const alone = await Promise.all(
      formats.map((format) =>
        run(process.execPath, [
          writ,
          'transcript',
          sessionId,
          '--format',
          format,
          '--eventstore',
          stack.addresses.eventstore,
        ]),
      ),
    );
    expect(alone.map(({ stdout }) => stdout.replace(/\n$/, ''))).toEqual(shown);
    for (const service of ['turn-orchestrator-1', 'approval-service-1'])
      rmSync(join(folder, 'data', service), { recursive: true, force: true });
    for (const name of ['turn-orchestrator-1', 'tool-executor-1', 'approval-service-1'])
      expect(await stack.start(name)).toBe('ready');
    const again = await Promise.all(formats.map((format) => client.transcriptText(sessionId, format)));
    expect(again).toEqual(shown);
  });

  interface Event {
    readonly type: string;
    readonly position: string;
  }
  /** What the session's event stream has delivered by the time that it is quiet. */
  async function eventsOf(session: string): Promise<readonly Event[]> {
    const stopping = new AbortController();
    const response = await fetch(`${world.stack.addresses.orchestrator}/v1/sessions/${session}/events`, {
      signal: stopping.signal,
    });
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    const events = (): Event[] =>
      [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? '') as Event);
    while (events().filter(({ type }) => type === 'TurnCompleted').length < 2) {
      const part: { done: boolean; value?: Uint8Array | undefined } = (await reader?.read()) ?? {
        done: true,
      };
      if (part.done) break;
      text += decoder.decode(part.value, { stream: true });
    }
    stopping.abort();
    return events();
  }
});
