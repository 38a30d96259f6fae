import { parseEvent, type ParsedEvent, type RecordedEvent } from '@writ/contracts';

/** As `parseEvent`; an event that no parser gets through, such as one nested without end, is a problem as well. */
export function parseRecorded(recorded: RecordedEvent): ParsedEvent {
  try {
    return parseEvent(recorded);
  } catch {
    return { ok: false, problem: `${recorded.stream}@${recorded.revision}: ${recorded.type} cannot be read` };
  }
}
