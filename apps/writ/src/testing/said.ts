/** A line run in this process over a store that the spec brings along. */
import type { EventStore } from '@writ/runtime';
import { outTo } from '../print/out';
import { runLine } from '../program';

export async function said(
  line: readonly string[],
  { store, configFile = 'writ.config.yaml' }: { readonly store: EventStore; readonly configFile?: string },
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const texts = { stdout: '', stderr: '' };
  const out = outTo({ write: (text) => (texts.stdout += text) }, { write: (text) => (texts.stderr += text) });
  const code = await runLine(line, {
    run: (command, { json = false }) => command({ store, out, json, nowMs: 0 }),
    configFile,
    out: (text) => void (texts.stdout += text),
    err: (text) => void (texts.stderr += text),
  });
  return { code, ...texts };
}
