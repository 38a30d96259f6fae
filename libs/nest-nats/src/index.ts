/**
 * The Nest transport over the bus: the one library that knows Nest.
 *
 * Owns how handlers are bound and how they end; knows no call, no store and no rule. A verdict is the handler's (protocol 6),
 * a throw costs time only (R16).
 */
export { DeliveryContext } from './delivery-context';
export { PassThrown } from './pass-thrown.filter';
export { APPROVE_PATTERN, CANCEL_PATTERN, EXECUTE_PATTERN, NOTICE_PATTERN, WRIT_TRANSPORT } from './patterns';
export { ack, nak } from './verdict';
export {
  WritTransport,
  type TransportEvents,
  type TransportStatus,
  type WritTransportOptions,
} from './writ-transport';
