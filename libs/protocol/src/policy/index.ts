/**
 * Whether a visible call with sound arguments may run, must be asked about, or is refused: the first rule that matches
 * decides, and without one the call is refused (R6). Patterns come in compiled; nothing here reads a file.
 */
export {
  authorize,
  type CompiledPolicy,
  type CompiledRule,
  type PolicyCall,
  type PolicyDecision,
} from './authorize';
export { policyFor, type PolicySession } from './policy-for';
export { normalisePath, readingsOf } from './readings';
