import {
  canonicalTranscriptSchema,
  openSessionResponseSchema,
  problemSchema,
  startTurnResponseSchema,
  turnSchema,
  type CanonicalCall,
  type CanonicalTranscript,
  type Problem,
  type Turn,
} from '@writ/contracts';
import { eventually } from './eventually';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The orchestrator's HTTP interface as a user's program calls it; every body is checked against its schema. */
export class Client {
  constructor(private readonly base: string) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async openSession(request: object = {}): Promise<string> {
    const { text } = await this.expecting(201, 'POST', '/v1/sessions', request);
    return openSessionResponseSchema.parse(JSON.parse(text)).sessionId;
  }

  async startTurn(sessionId: string, input: string, more: object = {}): Promise<string> {
    const { text } = await this.expecting(202, 'POST', `/v1/sessions/${sessionId}/turns`, { input, ...more });
    return startTurnResponseSchema.parse(JSON.parse(text)).turnId;
  }

  /** Starts a turn and waits for its end. */
  async runTurn(sessionId: string, input: string, more: object = {}): Promise<Turn> {
    const { text } = await this.expecting(200, 'POST', `/v1/sessions/${sessionId}/turns?wait=true`, {
      input,
      ...more,
    });
    return turnSchema.parse(JSON.parse(text));
  }

  async turn(sessionId: string, turnId: string): Promise<Turn> {
    const { text } = await this.expecting(200, 'GET', `/v1/sessions/${sessionId}/turns/${turnId}`);
    return turnSchema.parse(JSON.parse(text));
  }

  /** The turn once it has ended, whoever drives it by then; while nobody answers it is asked again. */
  ended(sessionId: string, turnId: string, withinMs = 60_000): Promise<Turn> {
    return eventually(
      `turn ${turnId} ends`,
      async () => {
        const answer = await this.send('GET', `/v1/sessions/${sessionId}/turns/${turnId}`).catch(
          () => undefined,
        );
        if (answer?.status !== 200) return undefined;
        const turn = turnSchema.parse(JSON.parse(answer.text));
        return turn.endedAt === undefined ? undefined : turn;
      },
      withinMs,
    );
  }

  async transcript(sessionId: string): Promise<CanonicalTranscript> {
    return canonicalTranscriptSchema.parse(JSON.parse(await this.transcriptText(sessionId, 'canonical')));
  }

  async transcriptText(sessionId: string, format: string, at?: string): Promise<string> {
    const query = at === undefined ? '' : `&at=${at}`;
    const { text } = await this.expecting(
      200,
      'GET',
      `/v1/sessions/${sessionId}/transcript?format=${format}${query}`,
    );
    return text;
  }

  /** All calls of the newest turn, in call order. */
  async calls(sessionId: string): Promise<readonly CanonicalCall[]> {
    return (await this.transcript(sessionId)).turns.at(-1)?.steps.flatMap(({ calls }) => calls) ?? [];
  }

  async problem(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Problem> {
    const { status, headers: answered, text } = await this.send(method, path, body, headers);
    expect(answered.get('content-type')).toBe('application/problem+json');
    const problem = problemSchema.parse(JSON.parse(text));
    expect(problem.status).toBe(status);
    return problem;
  }

  private async expecting(status: number, method: string, path: string, body?: unknown): Promise<Answered> {
    const answered = await this.send(method, path, body);
    if (answered.status !== status)
      throw new Error(`${method} ${path} answered ${answered.status}: ${answered.text}`);
    return answered;
  }
}
