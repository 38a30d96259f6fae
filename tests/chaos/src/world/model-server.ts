import { createServer, type Server } from 'node:http';
import { z } from 'zod';

/** What the model is to say in a turn, step by step; stands in the turn's input, so that no state is kept here. */
export const scriptSchema = z.array(
  z.array(z.object({ tool: z.string(), args: z.record(z.string(), z.union([z.string(), z.number()])) })),
);
export type Script = z.infer<typeof scriptSchema>;

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })),
});

/** A provider of chat completions that does what the newest user message says; the same after any crash. */
export class ModelServer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<ModelServer> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const answer = replyTo(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
      request.on('error', () => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return new ModelServer(server, `http://127.0.0.1:${port}/v1`);
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

function replyTo(body: unknown): object {
  const { model, messages } = requestSchema.parse(body);
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const script = scriptSchema.parse(JSON.parse(z.string().parse(messages[at]?.content)));
  const replies = messages.slice(at).filter(({ role }) => role === 'assistant').length;
  const calls = (script[replies] ?? []).map(({ tool, args }, index) => ({
    id: `call_${replies}_${index}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: calls.length > 0 ? null : 'done' };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
