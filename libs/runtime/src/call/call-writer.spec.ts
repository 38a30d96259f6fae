import type { CallCommand } from '@writ/protocol';
import type { EventStore } from '../ports';
import { heir, lostCall } from '../testing/lost-call';
import { writeCall } from './call-writer';

/** The old holder, who was only silent, reports what it did while the heir runs the call again. */
async function lateEvidenceDuringRerun() {
  const lost = await lostCall({ effectClass: 'read' });
  const { takeOver, did, deadline, tool } = lost;
  const { epoch } = { epoch: 0, ...(await takeOver('silent')) };
  const { definitionDigest } = tool;
  const rerun = { type: 'Rerun' as const, instance: heir, epoch, deadline, definitionDigest, fenced: false };
  const running = await did(rerun);
  const result = { outcome: 'succeeded' as const, effect: 'none' as const, content: [] };
  const digest = `sha256:${'1'.repeat(64)}`;
  const late = (): Promise<unknown> => did({ type: 'RecordLateResult', epoch: 0, ...result, digest });
  const commit: CallCommand = {
    type: 'CommitResult',
    instance: heir,
    epoch,
    result: { ...result, digest: `sha256:${'2'.repeat(64)}` },
  };
  return { ...lost, running, late, commit };
}

describe('writing to a call', () => {
  it('commits a result although late evidence of an earlier holder came in between (R4)', async () => {
    const { ports, context, running, late, commit, types } = await lateEvidenceDuringRerun();
    await late();
    const write = await writeCall(ports, running, { command: commit, context, patience: 'until_known' });
    expect(write.result).toBe('stands');
    expect(types().slice(-2)).toEqual(['LateResultRecorded', 'ToolResultCommitted']);
  });

  it('knows its unheard result for its own although late evidence came behind it', async () => {
    const { ports, context, running, late, commit, store, types } = await lateEvidenceDuringRerun();
    const doubtful = Object.assign(Object.create(store), {
      append: async (...asked: Parameters<EventStore['append']>) => {
        await store.append(...asked);
        await late();
        return { outcome: 'conflict', actual: 'not_told' };
      },
    });
    const write = await writeCall({ ...ports, store: doubtful }, running, {
      command: commit,
      context,
      patience: 'until_known',
    });
    expect(write.result).toBe('stands');
    expect(types().slice(-2)).toEqual(['ToolResultCommitted', 'LateResultRecorded']);
  });
});
