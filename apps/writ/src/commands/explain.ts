import { explain } from '@writ/audit';
import type { WritEvent } from '@writ/contracts';
import type { Command } from '../context';
import { exitCodes } from '../exit-codes';
import { saidOf } from '../print/said';
import { printTable } from '../print/table';
import { notRead } from './not-read';

/** What happened to one call, event by event. Arguments and results are not shown: `transcript` has them. */
export const explainCall =
  (callId: string): Command =>
  async ({ store, out, json }) => {
    const story = await explain(store, callId);
    if (story.outcome !== 'explained') return notRead(out, story, `call ${callId}`);
    if (json) out.json({ callId, events: story.events.map(withoutContents) });
    else {
      const rows = story.events.map((event) => [
        event.metadata.at,
        event.type,
        saidOf(event),
        out.colors.dim(`${event.stream}@${event.revision}`),
        event.position,
      ]);
      printTable(out, { head: ['at', '', '', '', 'position'], rows, empty: '', right: [4] });
    }
    return exitCodes.good;
  };

/** What a call was given and what came of it, wherever an event has it: each may carry a secret. */
const contents: ReadonlySet<string> = new Set(['rawArguments', 'content', 'result', 'evidence']);

const withoutContents = (event: WritEvent): unknown =>
  JSON.parse(JSON.stringify(event, (name, value: unknown) => (contents.has(name) ? undefined : value)));
