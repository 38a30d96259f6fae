import { replay } from '@writ/audit';
import type { Command } from '../context';
import { exitCodes } from '../exit-codes';
import { notRead } from './not-read';

/** Exit 1 where two ways of reading the same events do not give the same bytes (R14). */
export const replaySession =
  (sessionId: string, options: { readonly at?: string | undefined }): Command =>
  async ({ store, out, json }) => {
    const replayed = await replay(store, sessionId, options);
    if (replayed.outcome !== 'replayed') return notRead(out, replayed, `session ${sessionId}`);
    const { ok, events, position, digest } = replayed;
    if (json) out.json({ ok, events, position, digest });
    else {
      const said = ok ? out.colors.green('✓ the same bytes each time') : out.colors.red('✗ the bytes differ');
      out.line(`  ${events} events through log position ${position}: ${said}`);
      out.line(out.colors.dim(`  canonical transcript ${digest}`));
    }
    return ok ? exitCodes.good : exitCodes.finding;
  };
