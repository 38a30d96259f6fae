/** The tools that need no module (interfaces.md, `writ.tools.yaml`, `builtin`). */
export const builtinNames = ['read_file', 'list_folder', 'write_file'] as const;
export type BuiltinName = (typeof builtinNames)[number];
