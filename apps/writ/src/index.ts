/**
 * The operator's and auditor's command. Owns the line, what people and programs see, and the exit codes; what it shows
 * is read and proved by `@writ/audit`. Its one write is `instances end … --gone`.
 */
export { runLine, type ProgramPorts } from './program';
