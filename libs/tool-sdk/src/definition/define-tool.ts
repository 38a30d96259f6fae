import { describeTool } from './describe';
import { judgeTools } from './judge';
import { importTools } from './load';
import type { Judged } from './judge';
import type { Tool, ToolInput } from './tool';

/**
 * Adds types to a tool's definition, and the checks that need no waiting. A plain object of the same shape is a tool
 * too; what is wrong with either is said when it is loaded.
 */
export function defineTool<const Input extends ToolInput>(tool: Tool<Input>): Tool<Input> {
  if (typeof tool.name !== 'string' || typeof tool.run !== 'function') {
    throw new TypeError('a tool has at least a name and a function run');
  }
  if (tool.effect === 'reconcilable' && typeof tool.readback !== 'function') {
    throw new TypeError(`tool ${tool.name}: readback: a reconcilable tool must have one`);
  }
  return tool;
}

/** Loads modules into **this** process and judges their tools: for an author's own tests. Executors use a tool host. */
export async function loadTools(modulePaths: readonly string[]): Promise<Judged> {
  return judgeTools((await importTools({ modules: modulePaths })).described);
}

/** Judges one tool object as it would be judged in a module of that name. */
export async function judgeTool(tool: object, file = 'inline'): Promise<Judged> {
  return judgeTools({ tools: [await describeTool(tool, { file, export: 'default' })], problems: [] });
}
