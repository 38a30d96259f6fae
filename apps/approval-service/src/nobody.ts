import type { Identity } from '@writ/runtime';

/** Identities come later: whoever reaches this service decides, and the record says that nobody was asked who it is. */
export const nobody: Identity = { by: 'unauthenticated', authentication: 'none' };
