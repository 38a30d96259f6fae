/**
 * Which tools a session sees: toolsets and platforms of the configuration against what the pools publish.
 * Visible is not authorized (R6): the policy decides about every call anyway. A name is resolved here, before staging,
 * and never guessed (R5).
 */
export { checkSessionScope, checkToolsets, unpublishedTools, type ConfigProblem } from './check';
export type { SessionScope, ToolsetConfig } from './expand';
export { toolsetsInForce } from './expand';
export { toolsetsOnRecord } from './on-record';
export { resolveName, type Aliases, type NameResolution } from './resolve-name';
export { toolTable, visibleTools, type PoolManifest, type ToolRow, type VisibleTool } from './table';
