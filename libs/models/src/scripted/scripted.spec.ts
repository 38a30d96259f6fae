import type { ModelOutcome } from '@writ/runtime';
import { scriptedModel } from '.';

interface Asking {
  readonly repliesBefore?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function ask(
  script: string,
  { repliesBefore = 0, timeoutMs = 1_000, signal }: Asking = {},
): Promise<ModelOutcome> {
  const scripted = scriptedModel(script);
  if (!scripted.ok) throw new Error(scripted.fault);
  return scripted.model.complete({
    sessionId: 's1',
    repliesBefore,
    messages: [],
    tools: [],
    timeoutMs,
    signal: signal ?? new AbortController().signal,
  });
}

describe('a scripted model', () => {
  const script = [
    '{"content":"first"}',
    '',
    '{"tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\\"path\\""}}]}',
    '{"content":"cut","finish_reason":"length"}',
    '',
  ].join('\n');

  it('takes the line that follows the replies on record', async () => {
    expect(await ask(script)).toEqual({
      ok: true,
      reply: { text: 'first', calls: [], finishReason: 'stop', model: 'script' },
    });
    expect(await ask(script, { repliesBefore: 1 })).toEqual({
      ok: true,
      reply: {
        text: '',
        calls: [{ id: 'c1', name: 'read_file', arguments: '{"path"' }],
        finishReason: 'tool_calls',
        model: 'script',
      },
    });
    expect(await ask(script, { repliesBefore: 2 })).toMatchObject({
      reply: { text: 'cut', finishReason: 'length' },
    });
  });

  it('fails for good when it is exhausted', async () => {
    expect(await ask(script, { repliesBefore: 3 })).toEqual({
      ok: false,
      retryable: false,
      cause: 'the script has no reply number 4',
    });
  });

  it('waits as its line says, and no longer than the request allows', async () => {
    expect(await ask('{"content":"x","delayMs":1}')).toMatchObject({ ok: true });
    expect(await ask('{"content":"x","delayMs":600000}', { timeoutMs: 1 })).toMatchObject({
      ok: false,
      retryable: true,
    });
  });

  it('ends its wait when it is stopped', async () => {
    const controller = new AbortController();
    const outcome = ask('{"content":"x","delayMs":600000}', {
      timeoutMs: 600_000,
      signal: controller.signal,
    });
    controller.abort();
    expect(await outcome).toEqual({ ok: false, retryable: false, cause: 'the request was stopped' });
  });

  it.each([
    ['{"content":"x"}\n\nnot json', /^line 3: no scripted reply/],
    ['{"content":1}', /^line 1: content: /],
    ['{"content":"x","toolCalls":[]}', /^line 1: .*toolCalls/],
    [
      '{"tool_calls":[{"function":{"name":"x","arguments":{}}}]}',
      /^line 1: tool_calls\.0\.function\.arguments: /,
    ],
  ])('refuses a script with a wrong line and names it: %s', (text, fault) => {
    const scripted = scriptedModel(text);
    expect(scripted.ok ? 'accepted' : scripted.fault).toMatch(fault);
  });
});
