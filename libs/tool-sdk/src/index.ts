/**
 * What a tool author sees (`defineTool`), how tools are loaded and judged, and where they run: the tool host, whose
 * processes die with their executor (R10, protocol 7). Keeps R8's and R10's side of a run: a result settles only when
 * the tool's processes are gone. Knows no store, no broker and no decision about a call.
 */
export { defineTool, judgeTool, loadTools } from './definition/define-tool';
export type { Judged, LoadedTool } from './definition/judge';
export type { ReadbackReply, Tool, ToolContext, ToolInput, ToolLog } from './definition/tool';
export { startToolHost } from './client/tool-host';
export type { ToolHost, ToolHostOptions, ToolHostStart } from './client/tool-host';
export { builtinNames } from './builtin/names';
export type { BuiltinOptions } from './builtin';
