/**
 * Reads the record and proves it, and writes nothing: transcripts as bytes (R14), the rules A1 to A10 over the log or
 * one session, and what it takes to replay, export and explain. The rules themselves are the core's; this library
 * brings them the events.
 */
export { explain, type Explanation } from './explain';
export { readInstances, readManifests, readWork, type InstanceStanding, type Manifest } from './overview';
export { readHistory, type HistoryOptions, type ReadHistory } from './read-history';
export { eachRecorded, headPosition, readStreamWhole, type Unavailable } from './read-streams';
export { renderTranscript, type RenderedTranscript } from './render-transcript';
export { replay, type Replay } from './replay';
export { tableOnRecord, toolsShown, type StepPlace, type ToolsShown } from './tool-table';
export { readTranscriptEvents, type CutOptions, type TranscriptEvents } from './transcript-events';
export { verify, type Verification } from './verify';
