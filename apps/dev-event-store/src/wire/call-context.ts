import type { ServiceError } from '@grpc/grpc-js';
import type { EventBodies } from '../engine/event-bodies';
import type { EventIndex } from '../engine/event-index';
import type { EventWriter } from '../engine/event-writer';
import type { FaultRegistry } from '../faults/fault-registry';
import type { Publications } from '../engine/publications';

/** A call that lasts and must be told when the server stops. */
export interface OpenCall {
  fail(error: ServiceError): void;
  onClose(listener: () => void): void;
}

/** What the handlers of all methods share. */
export interface CallContext {
  index: EventIndex;
  bodies: EventBodies;
  writer: EventWriter;
  publications: Publications;
  faults: FaultRegistry;
  now: () => number;
  /** Registers a call that must be ended when the server stops. */
  track(call: OpenCall): void;
  /** Runs `work`; an exception is reported and answered by `crash`, never thrown: it would end the process. */
  guard(work: () => void, crash: () => void): void;
  /** Tells the operator about a bug. */
  report(error: unknown): void;
  /** Cuts the connection of a peer as `getPeer` names it. */
  disconnect(peer: string): void;
}
