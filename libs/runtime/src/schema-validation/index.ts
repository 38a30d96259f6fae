/**
 * Whether arguments fit the tool's input schema (R5). It checks and never changes: no coercion, no defaults, nothing
 * removed. A schema that does not compile makes its tool invisible, with the reason.
 */
export { definitionDigest } from './definition-digest';
export { schemaValidation, type SchemaValidation } from './validation';
