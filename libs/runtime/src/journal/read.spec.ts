import type { RecordedEvent } from '@writ/contracts';
import { openRecorded } from './read';
import { eventDigest } from './seal';

const open = {
  id: '00000000-0000-4000-8000-000000000001',
  stream: 'control-s1',
  revision: 0,
  position: '64',
  type: 'InterruptRequested',
  data: { sessionId: 's1', turnId: 't1', by: 'a person' },
  metadata: {
    $correlationId: 's1',
    schemaVersion: 1,
    at: '2026-01-01T10:00:00.000Z',
    actor: { service: 'turn-orchestrator' },
    predecessor: null,
  },
};
const recorded = (): RecordedEvent => ({
  ...open,
  metadata: { ...open.metadata, digest: eventDigest(open) },
});

describe('a recorded event that is opened', () => {
  it('is refused where its content is not what its digest covers', () => {
    const altered = { ...recorded(), data: { ...open.data, turnId: 't2' } };
    expect(openRecorded(altered)).toEqual({
      ok: false,
      problem: 'control-s1@0: its digest does not fit its content',
    });
  });

  it('is looked at anew each time while somebody may still change it', () => {
    const event = recorded();
    expect(openRecorded(event)).toMatchObject({ ok: true });
    event.data = { ...open.data, turnId: 't2' };
    expect(openRecorded(event)).toMatchObject({ ok: false });
  });

  it('is opened once where the store has frozen it for all its readers', () => {
    const event = Object.freeze(recorded());
    expect(openRecorded(event)).toMatchObject({ ok: true });
    expect(openRecorded(event)).toBe(openRecorded(event));
    expect(openRecorded(Object.freeze({ ...event, revision: 1 }))).toMatchObject({ ok: false });
  });
});
