import {
  approvalListSchema,
  canonicalTranscriptSchema,
  openSessionResponseSchema,
  turnSchema,
  type Approval,
  type CanonicalTranscript,
  type Turn,
} from '@writ/contracts';
import { z } from 'zod';

const pollMs = 50;
const patienceMs = 60_000;

/** Writ's HTTP interfaces as the demo uses them; answers are parsed, a wrong one ends the demo. */
export class Writ {
  constructor(
    private readonly orchestrator: string,
    private readonly approvals: string,
  ) {}

  async openSession(): Promise<string> {
    return openSessionResponseSchema.parse(await this.ask('POST', '/v1/sessions', {})).sessionId;
  }

  async startTurn(sessionId: string, input: string): Promise<string> {
    const started = await this.ask('POST', `/v1/sessions/${sessionId}/turns`, { input });
    return z.object({ turnId: z.string() }).parse(started).turnId;
  }

  async turn(sessionId: string, turnId: string): Promise<Turn> {
    return turnSchema.parse(await this.ask('GET', `/v1/sessions/${sessionId}/turns/${turnId}`));
  }

  async transcript(sessionId: string): Promise<CanonicalTranscript> {
    return canonicalTranscriptSchema.parse(await this.ask('GET', `/v1/sessions/${sessionId}/transcript`));
  }

  /** What a person is asked about now. */
  async waiting(): Promise<readonly Approval[]> {
    const response = await fetch(`${this.approvals}/v1/approvals?status=pending`);
    return approvalListSchema
      .parse(await response.json())
      .items.filter(({ deadline }) => deadline !== undefined);
  }

  async decide(
    { callId, argsDigest }: Approval,
    decision: 'grant' | 'deny',
    comment?: string,
  ): Promise<void> {
    const response = await fetch(`${this.approvals}/v1/approvals/${callId}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ decision, argsDigest, comment }),
    });
    if (!response.ok)
      throw new Error(`the decision was answered ${response.status}: ${await response.text()}`);
  }

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.orchestrator}${path}`, {
      method,
      signal: AbortSignal.timeout(patienceMs),
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }
}

/** Polls until `look` gives something, at most a minute. */
export async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`waited a minute in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
