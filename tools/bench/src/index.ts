/** The benchmark: what a durable call costs beside the machine's own fdatasync and NATS round trip. Nothing imports it. */
export {};
