/**
 * From a model's reply to the events of its round: ids are minted, names resolved, arguments read and validated, and the
 * core's plan becomes drafts with digests. Nothing here acts.
 */
export { proposeRound, type ProposedRound, type RoundContext } from './propose-round';
export { toolTableBody, toolTableDigest, usableTable } from './tool-table';
