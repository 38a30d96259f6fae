import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { PublishedTool } from '@writ/contracts';
import type { ModelOutcome, ModelRequest } from '@writ/runtime';
import { z } from 'zod';
import { openaiModel } from '.';

/** Requests of the last test, as the provider got them. */
let requests: { url: string; authorization: string; body: unknown }[] = [];
let answer: (response: ServerResponse) => void = () => undefined;
let server: Server;
let baseUrl = '';

async function record(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(z.instanceof(Buffer).parse(chunk));
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  requests.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', body });
  answer(response);
}

beforeAll(async () => {
  server = createServer((request, response) => void record(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  baseUrl = `http://127.0.0.1:${port}/v1`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  requests = [];
});

const tool: PublishedTool = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  effectClass: 'read',
  concurrency: 'parallel',
  timeoutMs: 1000,
  fenced: false,
  delegate: false,
  version: '1',
  definitionDigest: `sha256:${'0'.repeat(64)}`,
  hasReadback: false,
  hasCheck: false,
};

function ask(given: Partial<ModelRequest> = {}): Promise<ModelOutcome> {
  const model = openaiModel({ baseUrl, apiKey: 'sk-very-secret', model: 'small' });
  return model.complete({
    sessionId: 's1',
    repliesBefore: 0,
    messages: [{ role: 'user', content: 'a private question' }],
    tools: [tool],
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    ...given,
  });
}

function json(status: number, body: unknown): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

function completion(choice: object, rest: object = {}): object {
  return { id: 'x', object: 'chat.completion', created: 1, model: 'small-2', choices: [choice], ...rest };
}

describe('a request', () => {
  it('is one chat completion with the messages and the tools, not streamed', async () => {
    answer = json(200, completion({ finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } }));
    await ask();
    expect(requests).toEqual([
      {
        url: '/v1/chat/completions',
        authorization: 'Bearer sk-very-secret',
        body: {
          model: 'small',
          messages: [{ role: 'user', content: 'a private question' }],
          tools: [
            {
              type: 'function',
              function: { name: 'read_file', description: 'Reads a file.', parameters: tool.inputSchema },
            },
          ],
        },
      },
    ]);
  });

  it('offers no empty list of tools, which endpoints refuse', async () => {
    answer = json(200, completion({ finish_reason: 'stop', message: { content: 'yes' } }));
    await ask({ tools: [] });
    expect(requests[0]?.body).not.toHaveProperty('tools');
  });
});

describe('a reply', () => {
  it('keeps ids, argument texts and the finish reason as they were sent', async () => {
    const calls = [
      {
        id: 'call_0',
        type: 'function',
        function: { name: 'read_file', arguments: '{"path": "a.txt", "n": 1e400' },
      },
      { id: '', type: 'function', function: { name: 'Read-File', arguments: '' } },
      { type: 'function', function: { name: 'x', arguments: '"\\ud800"' } },
    ];
    const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
    answer = json(
      200,
      completion({ finish_reason: 'length', message: { content: null, tool_calls: calls } }, { usage }),
    );
    expect(await ask()).toEqual({
      ok: true,
      reply: {
        text: '',
        calls: [
          { id: 'call_0', name: 'read_file', arguments: '{"path": "a.txt", "n": 1e400' },
          { id: '', name: 'Read-File', arguments: '' },
          { name: 'x', arguments: '"\\ud800"' },
        ],
        finishReason: 'length',
        model: 'small-2',
        usage: { promptTokens: 3, completionTokens: 5 },
      },
    });
  });

  it('may come from an endpoint that sends nulls and leaves out what is no meaning', async () => {
    answer = json(200, {
      choices: [{ finish_reason: null, message: { content: 'yes', tool_calls: null } }],
      usage: null,
    });
    expect(await ask()).toEqual({
      ok: true,
      reply: { text: 'yes', calls: [], finishReason: 'unknown', model: 'small' },
    });
  });

  it.each([
    ['no choices', { choices: [] }],
    ['a list', []],
    ['an error with status 200', { error: { message: 'a private question' } }],
    ['calls that are no list', completion({ message: { tool_calls: { function: { name: 'x' } } } })],
    [
      'calls said in two ways',
      completion({
        message: {
          tool_calls: [{ function: { name: 'x', arguments: '{}' } }],
          function_call: { name: 'x', arguments: '{}' },
        },
      }),
    ],
    ['half a body', '{"choices":[{"mess'],
    ['a page', '<html>'],
  ])('of another shape is a failure that may pass: %s', async (_what, body) => {
    answer = json(200, body);
    expect(await ask()).toEqual({ ok: false, retryable: true, cause: 'the reply is no chat completion' });
  });
});

describe('a failure', () => {
  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [422, false],
    [408, true],
    [409, true],
    [429, true],
    [500, true],
    [503, true],
  ])(
    'with status %d may pass: %s; its cause quotes neither key nor prompt nor body',
    async (status, retryable) => {
      answer = json(status, {
        error: { message: 'bad key sk-very-secret for a private question', code: 'private' },
      });
      const outcome = await ask();
      expect(outcome).toEqual({ ok: false, retryable, cause: `the model answered with status ${status}` });
      expect(requests).toHaveLength(1);
    },
  );

  it('is a timeout when no answer comes', async () => {
    answer = () => undefined;
    expect(await ask({ timeoutMs: 30 })).toEqual({
      ok: false,
      retryable: true,
      cause: 'the model gave no reply in time',
    });
  });

  it('is a timeout as well when the answer begins and never ends', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices":');
    };
    expect(await ask({ timeoutMs: 200 })).toEqual({
      ok: false,
      retryable: true,
      cause: 'the model gave no reply in time',
    });
  });

  it('is no reason to try again when the caller stopped it', async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    expect(await ask({ signal: controller.signal })).toEqual({
      ok: false,
      retryable: false,
      cause: 'the request was stopped',
    });
  });

  it('may pass when the connection breaks', async () => {
    answer = (response) => response.destroy();
    expect(await ask()).toEqual({
      ok: false,
      retryable: true,
      cause: expect.stringMatching(/^the model cannot be reached \([A-Z_]+\)$/),
    });
  });

  it('may pass when nothing listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = z.object({ port: z.number() }).parse(closed.address());
    await new Promise((resolve) => closed.close(resolve));
    const model = openaiModel({ baseUrl: `http://127.0.0.1:${port}/v1`, model: 'small' });
    const request = { sessionId: 's1', repliesBefore: 0, messages: [], tools: [], timeoutMs: 30_000 };
    expect(await model.complete({ ...request, signal: new AbortController().signal })).toMatchObject({
      ok: false,
      retryable: true,
      cause: 'the model cannot be reached (ECONNREFUSED)',
    });
  });
});
