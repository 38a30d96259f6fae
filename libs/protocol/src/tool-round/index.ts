/**
 * A step's batch from the model's reply to what is staged: every proposed call is judged once, in the model's order,
 * and keeps its place (R5, R6, R11); those that may run are cut into segments (R12). Nothing is dropped or repaired.
 */
export { numberFault } from './number-fault';
export { planRound } from './plan-round';
export {
  argumentsCodes,
  faultsOfModel,
  refusalCodes,
  type ArgumentsCode,
  type Refusal,
  type RefusalCode,
} from './refusals';
export type {
  ArgumentsVerdict,
  PlannedCall,
  ProposedCallInput,
  RefusalDraft,
  RoundInput,
  RoundPlan,
  SchemaVerdict,
} from './round';
export { cutReasons, wasCut } from './was-cut';
export { cutSegments, type RunnableCall } from './segments';
export { wrapperNamed, type Wrapper } from './wrappers';
