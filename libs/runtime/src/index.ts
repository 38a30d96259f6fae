/**
 * The imperative shell: folds, asks the core, appends at the expected revision, and only then acts.
 * Ports are the only way out. Knows no framework, no broker and no store client. One write path: parse (contracts),
 * fold and decide (protocol), append (journal), only then act.
 */
export { ApprovalDesk, type Decided } from './approval/approval-desk';
export { ApprovalLists, type Listed } from './approval/approval-lists';
export {
  Approvals,
  type ApprovalPorts,
  type CallPlace,
  type Identity,
  type PersonsAnswer,
} from './approval/approvals';
export { DoubtDesk } from './approval/doubt-desk';
export { previewOf, shownArguments } from './approval/preview';
export { Resolutions, type PersonsResolution, type Resolved } from './approval/resolutions';
export * from './arguments';
export { publishManifest } from './catalog/publish-manifest';
export { ToolCatalog, type Manifest } from './catalog/tool-catalog';
export { compileConfig, type CompiledConfig, type ConfigCompilation } from './config/compile-config';
export * from './digest';
export { CallExecutor } from './executor/call-executor';
export type { CallExecutorPorts } from './executor/held-call';
export { Instance, type InstanceOptions } from './instance/instance';
export { appendSealed, type SealedOutcome } from './journal/append';
export { openRecorded, readNewest, readOne, readWhole, type StreamRead } from './journal/read';
export { eventDigest, seal, type SealContext, type SealedAppend, type StreamHead } from './journal/seal';
export { LeaseKeeper } from './lease/lease-keeper';
export { LeaseWatch, type HolderLease } from './lease/lease-watch';
export { runtimeLimits } from './limits';
export * from './ports';
export { ProjectionRunner } from './projection/projection-runner';
export { workProjection } from './projection/work-projection';
export * from './schema-validation';
export { openSession } from './session/open-session';
export { isRefused, refused, type Refused } from './session/refused';
export { Sessions } from './session/sessions';
export type { SessionPorts, SessionRules } from './session/session-ports';
export { loadCall, loadStaged } from './call/load-call';
export * from './tool-round';
