export * from './metadata';
export * from './registry';
export * from './result';
export * from './streams';
export {
  toolDefinitionSchema,
  publishedToolSchema,
  type PublishedTool,
  type ToolDefinition,
} from './instance';
export type { ToolsetsOnRecord } from './session';
