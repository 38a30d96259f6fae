/**
 * The three tools that need no module. They run in tool processes like any other, stay inside their root folder
 * however links lead, and wait for nothing that may never come (FIFOs and devices are refused).
 */
import { mkdirSync } from 'node:fs';
import type { JsonSchemaInput, Tool } from '../definition/tool';
import type { BuiltinName } from './names';
import { listFolderTool, readFileTool } from './read-tools';
import { writeFileTool } from './write-file';

export interface BuiltinOptions {
  /** Absolute path of the folder that the tools work in, and never leave. Made if it is missing. */
  readonly root: string;
  readonly tools: readonly BuiltinName[];
}

const makers: { readonly [name in BuiltinName]: (root: string) => Tool<JsonSchemaInput> } = {
  read_file: readFileTool,
  list_folder: listFolderTool,
  write_file: writeFileTool,
};

export function builtinTools({ root, tools }: BuiltinOptions): {
  readonly [name: string]: Tool<JsonSchemaInput>;
} {
  mkdirSync(root, { recursive: true });
  return Object.fromEntries(tools.map((name) => [name, makers[name](root)]));
}
