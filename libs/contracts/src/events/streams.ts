/** Names of streams: the only place where one is put together or taken apart. */
export const sessionStream = (sessionId: string): string => `session-${sessionId}`;
export const callStream = (callId: string): string => `toolcall-${callId}`;
export const instanceStream = (service: string, name: string): string => `instance-${service}.${name}`;
export const catalogStream = (pool: string): string => `toolcatalog-${pool}`;
export const controlStream = (sessionId: string): string => `control-${sessionId}`;
export const instanceId = (service: string, name: string, incarnation: number): string =>
  `${service}.${name}#${incarnation}`;

/** Lease stream of `<service>.<name>#<incarnation>`. */
export const leaseStream = (instance: string): string => `lease-${instance.replace('#', '.')}`;

export const streamPrefixes = {
  session: 'session-',
  call: 'toolcall-',
  instance: 'instance-',
  lease: 'lease-',
  catalog: 'toolcatalog-',
  control: 'control-',
} as const;

/** The parts of an instance id, or undefined where the text is none. */
export function parseInstanceId(
  id: string,
): { service: string; name: string; incarnation: number } | undefined {
  const match = /^([a-z-]+)\.([a-zA-Z0-9_-]+)#([0-9]+)$/.exec(id);
  const [, service, name, incarnation] = match ?? [];
  return service !== undefined && name !== undefined && incarnation !== undefined
    ? { service, name, incarnation: Number(incarnation) }
    : undefined;
}
