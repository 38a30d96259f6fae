import type { Json } from '@writ/contracts';

/** What stands where a secret was. It says that there is one, not how long it is. */
export const mask = '[masked]';

/** Ends of key names that hold credentials, without case and separators: `X-Api-Key` is `xapikey`. */
const secretName =
  /(authorization|cookie|password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|credentials?)$/;
/** A credential as headers carry it, wherever it stands. */
const inText = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/**
 * Arguments as people are shown them (interfaces.md, "approval"): what a key's name or its form tells to be a credential
 * is masked. The record, the digest and what runs keep the whole value. Arguments are of bounded depth already.
 */
export function maskSecrets(args: { readonly [key: string]: Json }): { [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, isSecret(name) ? mask : maskValue(value)]),
  );
}

function maskValue(value: Json): Json {
  if (typeof value === 'string') return value.replace(inText, `$1 ${mask}`);
  if (Array.isArray(value)) return value.map(maskValue);
  return value !== null && typeof value === 'object' ? maskSecrets(value) : value;
}

const isSecret = (name: string): boolean =>
  secretName.test(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
