import { renderTranscript } from '@writ/audit';
import type { TranscriptFormat } from '@writ/contracts';
import type { Command } from '../context';
import { notRead } from './not-read';
import { exitCodes } from '../exit-codes';

export interface TranscriptOptions {
  readonly format: TranscriptFormat;
  readonly at?: string | undefined;
}

/** The bytes that HTTP gives, and not one more, unless a person looks on. */
export const printTranscript =
  (sessionId: string, options: TranscriptOptions): Command =>
  async ({ store, out }) => {
    const rendered = await renderTranscript(store, sessionId, options);
    if (rendered.outcome !== 'rendered') return notRead(out, rendered, `session ${sessionId}`);
    out.bytes(rendered.text);
    if (out.isTerminal) out.line();
    return exitCodes.good;
  };
