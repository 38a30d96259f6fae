/** For specs only: the conformance suite of the `Bus` port, a real nats-server, and the ports a spec needs. */
export { describeBus } from './describe-bus';
export { ACK_WAIT_MS, PATIENCE_MS, type BusWorld } from './bus-world';
export { startNatsServer, type NatsServer } from './nats-server';
export { openNatsWorld, type NatsWorld } from './open-nats-world';
export { realEntropy, recordLog, timerClock, type RecordedLog } from './test-ports';
