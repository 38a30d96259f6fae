import { tableOnRecord, toolsShown, type StepPlace } from '@writ/audit';
import type { Command } from '../context';
import { exitCodes, type ExitCode } from '../exit-codes';
import type { Out } from '../print/out';
import { printTable } from '../print/table';
import { notRead } from './not-read';

/** Why a session sees a tool or not; `--json` is what `GET …/tools` answers. */
export const explainTools =
  (sessionId: string, { at }: { readonly at?: string | undefined }): Command =>
  async ({ store, out, json }) => {
    const read = await tableOnRecord(store, sessionId, { at });
    if (read.outcome === 'not_kept') return notKept(out, sessionId);
    if (read.outcome !== 'table') return notRead(out, read, `session ${sessionId}`);
    const { digest, tools } = read.table;
    if (json) out.json(read.table);
    else {
      const rows = tools.map(({ name, visible, reason, effectClass, definitionDigest }) => [
        visible ? out.colors.green('✓') : out.colors.red('✗'),
        name,
        visible ? 'visible' : 'hidden',
        reason,
        effectClass,
        out.colors.dim(definitionDigest.slice(0, 19)),
      ]);
      const head = ['', 'tool', '', 'reason', 'effect class', 'definition'];
      printTable(out, { head, rows, empty: 'no executor has published its tools' });
      out.line(out.colors.dim(`  table ${digest}`));
    }
    return exitCodes.good;
  };

/** What the model was shown with one step. Exit 1 where the record does not give it. */
export const showTools =
  (sessionId: string, place: StepPlace): Command =>
  async ({ store, out, json }) => {
    const read = await toolsShown(store, sessionId, place);
    if (read.outcome === 'not_kept') return notKept(out, sessionId);
    if (read.outcome === 'untrue') {
      out.complain(`nothing that was published gives the table ${read.digest} of this step`);
      return exitCodes.finding;
    }
    if (read.outcome !== 'shown')
      return notRead(out, read, `step ${place.step} of turn ${place.turnId} in session ${sessionId}`);
    const { digest, tools } = read;
    if (json) out.json({ digest, tools });
    else {
      const rows = tools.map(({ name, pool, description, definitionDigest }) => [
        name,
        pool,
        description.replace(/\s+/g, ' ').slice(0, 60),
        out.colors.dim(definitionDigest.slice(0, 19)),
      ]);
      printTable(out, { head: ['tool', 'pool', 'description', 'definition'], rows, empty: 'no tool at all' });
      out.line(out.colors.dim(`  table ${digest}, as recorded`));
    }
    return exitCodes.good;
  };

function notKept(out: Out, sessionId: string): ExitCode {
  out.complain(`session ${sessionId} was opened by a version that did not record what its toolsets hold`);
  return exitCodes.finding;
}
