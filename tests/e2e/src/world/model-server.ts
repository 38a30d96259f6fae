import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openaiMessageSchema } from '@writ/contracts';
import { z } from 'zod';

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: string;
}
export interface Reply {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finishReason?: string;
  /** Milliseconds before it answers. */
  readonly delayMs?: number;
}
/** What a reply is: fixed, or made from the request's messages. */
export type Answer = Reply | ((messages: readonly unknown[]) => Reply);

const finalText: Reply = { text: 'nothing more to do' };

/** A provider that speaks chat completions: replies in order, and keeps the exact bodies that it was sent. */
export class ModelServer {
  /** The `messages` of each request, as the bytes that came. */
  readonly requests: string[] = [];
  private readonly answers: Answer[] = [];
  private fallback: Answer = finalText;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        this.requests.push(body);
        const parsed = JSON.parse(body) as { messages: unknown[]; model: string };
        const next = this.answers.shift() ?? this.fallback;
        const reply = typeof next === 'function' ? next(parsed.messages) : next;
        setTimeout(() => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(completionOf(reply, parsed.model)));
        }, reply.delayMs ?? 0);
      });
    });
  }

  static async start(): Promise<ModelServer> {
    const model = new ModelServer();
    await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Queues replies; one more asks than replies gets a final text. */
  says(...answers: readonly Answer[]): void {
    this.answers.push(...answers);
  }

  /** What it says when no queued reply is left: for many sessions at once, whose requests come in any order. */
  otherwise(answer: Answer): void {
    this.fallback = answer;
  }

  forget(): void {
    this.answers.length = 0;
    this.requests.length = 0;
    this.fallback = finalText;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/** Of a request's messages: the newest user input, and how many replies this turn has had already. */
export function placeOf(messages: readonly unknown[]): { readonly input: string; readonly replies: number } {
  const rows = messages.map((message) => openaiMessageSchema.parse(message));
  const at = rows.findLastIndex(({ role }) => role === 'user');
  const replies = rows.slice(at).filter(({ role }) => role === 'assistant').length;
  return { input: rows[at]?.content ?? '', replies };
}

const requestSchema = z.object({ messages: z.array(openaiMessageSchema) });
/** The rows of a request as it was sent. */
export const rowsOf = (request: string) => requestSchema.parse(JSON.parse(request)).messages;
/** What the model was told of its calls, in the order of the rows. */
export const toolRowsOf = (request: string): readonly string[] =>
  rowsOf(request).flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));

/** One call of a reply. */
export const call = (name: string, args: unknown, id?: string): ScriptedCall => ({
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
  ...(id === undefined ? {} : { id }),
});

function completionOf({ text, calls = [], finishReason }: Reply, model: string): object {
  const toolCalls = calls.map(({ id, name, arguments: args }, index) => ({
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: args },
  }));
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
        message: {
          role: 'assistant',
          content: text ?? null,
          ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
