/** Why a command on a lease is refused, in order of precedence. */
export const leaseRejections = [
  /** The holder must stop: somebody has ended its lease. */
  'lease_has_ended',
  'renewal_must_be_the_holders',
  /** Only the holder can say that its tools have ended and that no append of its is unknown. */
  'release_must_be_the_holders',
] as const;
export type LeaseRejection = (typeof leaseRejections)[number];
