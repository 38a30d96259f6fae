import {
  canonicalTranscriptSchema,
  openSessionResponseSchema,
  turnSchema,
  type CanonicalTranscript,
  type Turn,
} from '@writ/contracts';
import { z } from 'zod';

const pollMs = 50;
const patienceMs = 60_000;

/** The orchestrator's HTTP interface as the demo uses it; answers are parsed, a wrong one ends the demo. */
export class Orchestrator {
  constructor(private readonly base: string) {}

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

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.base}${path}`, {
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
