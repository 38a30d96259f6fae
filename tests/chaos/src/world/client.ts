import {
  approvalListSchema,
  canonicalTranscriptSchema,
  openSessionResponseSchema,
  startTurnResponseSchema,
  type Approval,
  type CanonicalTranscript,
} from '@writ/contracts';
import { chaosLimits } from '../limits';
import { within } from './eventually';
import type { Script } from './model-server';

/** Bases of the instances that may be asked now, the preferred one first. */
export type Bases = () => readonly string[];

/** A user's program that never gives up: what one instance does not answer is asked of the next, under one idempotency key. */
export class Client {
  constructor(
    private readonly orchestrators: Bases,
    private readonly approvals: Bases,
  ) {}

  async openSession(): Promise<string> {
    const text = await this.insist('POST', '/v1/sessions', { expecting: 201, body: {} });
    return openSessionResponseSchema.parse(JSON.parse(text)).sessionId;
  }

  async startTurn(sessionId: string, script: Script): Promise<string> {
    const text = await this.insist('POST', `/v1/sessions/${sessionId}/turns`, {
      expecting: 202,
      body: { input: JSON.stringify(script) },
      headers: { 'idempotency-key': sessionId },
    });
    return startTurnResponseSchema.parse(JSON.parse(text)).turnId;
  }

  async interrupt(sessionId: string): Promise<void> {
    await this.insist('POST', `/v1/sessions/${sessionId}/interrupt`, { expecting: 202 });
  }

  /** Undefined while nobody answers. */
  async transcript(sessionId: string): Promise<CanonicalTranscript | undefined> {
    for (const base of this.orchestrators()) {
      const answer = await ask(`${base}/v1/sessions/${sessionId}/transcript`, { method: 'GET' });
      if (answer?.status === 200) return canonicalTranscriptSchema.parse(JSON.parse(answer.text));
    }
    return undefined;
  }

  /** Grants what waits and is `wanted`; what fails is tried again by the next call. Answers how many were granted. */
  async grant(wanted: (approval: Approval) => boolean): Promise<number> {
    let granted = 0;
    for (const base of this.approvals()) {
      const list = await ask(`${base}/v1/approvals?status=pending`, { method: 'GET' });
      if (list?.status !== 200) continue;
      const { items } = approvalListSchema.parse(JSON.parse(list.text));
      for (const { callId, argsDigest } of items.filter(wanted)) {
        const answer = await ask(`${base}/v1/approvals/${callId}/decision`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ decision: 'grant', argsDigest }),
        });
        if (answer?.status === 200) granted += 1;
      }
    }
    return granted;
  }

  private async insist(
    method: string,
    path: string,
    how: { readonly expecting: number; readonly body?: object; readonly headers?: Record<string, string> },
  ): Promise<string> {
    let last = 'nobody answered';
    const init = {
      method,
      headers: { ...(how.body === undefined ? {} : { 'content-type': 'application/json' }), ...how.headers },
      ...(how.body === undefined ? {} : { body: JSON.stringify(how.body) }),
    };
    const text = await within(chaosLimits.settleMs, async () => {
      for (const base of this.orchestrators()) {
        const answer = await ask(`${base}${path}`, init);
        if (answer?.status === how.expecting) return answer.text;
        if (answer !== undefined) last = `${answer.status}: ${answer.text}`;
      }
      return undefined;
    });
    if (text === undefined)
      throw new NeverAnswered(`${method} ${path} was never answered ${how.expecting}; last: ${last}`);
    return text;
  }
}

/** A request that no instance took within the bound: a finding of liveness. */
export class NeverAnswered extends Error {
  override readonly name = 'NeverAnswered';
}

async function ask(
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly text: string } | undefined> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(chaosLimits.requestMs) });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}
