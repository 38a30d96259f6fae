import { eachRecorded, headPosition } from '@writ/audit';
import { sessionStream, type RecordedEvent } from '@writ/contracts';
import type { Command } from '../context';
import { exitCodes } from '../exit-codes';
import { notRead } from './not-read';

/** Events as they are recorded, as JSON lines in log order, up to the head of the log: all, or those of one session. */
export const exportEvents =
  (sessionId: string | undefined): Command =>
  async ({ store, out }) => {
    const head = await headPosition(store);
    if (head.outcome === 'unavailable') return exitCodes.cannotReach;
    let written = 0;
    const read = await eachRecorded(store, head.position, (event) => {
      if (sessionId !== undefined && !isOf(event, sessionId)) return;
      out.json(event);
      written += 1;
    });
    if (read.outcome === 'unavailable') return exitCodes.cannotReach;
    const isMissing = sessionId !== undefined && written === 0;
    return isMissing ? notRead(out, { outcome: 'not_found' }, `session ${sessionId}`) : exitCodes.good;
  };

const isOf = ({ stream, metadata }: RecordedEvent, sessionId: string): boolean =>
  stream === sessionStream(sessionId) ||
  (metadata !== null &&
    typeof metadata === 'object' &&
    '$correlationId' in metadata &&
    metadata.$correlationId === sessionId);
