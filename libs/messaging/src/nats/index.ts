/** The bus over a real NATS server with JetStream. */
export { connectBus, type ConnectBusOptions } from './connect-bus';
