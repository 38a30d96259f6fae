/** `WRIT_NATS_URL` as the client wants it. */
import type { ConnectionOptions } from 'nats';

/**
 * One URL or several with commas: `nats://[user:password@ or token@]host[:4222]`, `tls://` where the connection must be encrypted.
 * Credentials are those of the first URL that has any. Throws on what is no URL, without quoting it.
 */
export function parseServerAddress(
  url: string,
): Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'> {
  const urls = url.split(',').map((part) => parseOne(part.trim()));
  const named = urls.find((one) => one.username !== '');
  return {
    servers: urls.map((one) => one.host),
    ...(named === undefined ? {} : credentials(named)),
    ...(urls.some((one) => one.protocol === 'tls:') ? { tls: {} } : {}),
  };
}

function parseOne(text: string): URL {
  const full = text.includes('://') ? text : `nats://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || url.host === '' || !['nats:', 'tls:'].includes(url.protocol)) {
    throw new TypeError('the broker address must look like nats://host:4222');
  }
  return url;
}

function credentials(url: URL): { user: string; pass: string } | { token: string } {
  const name = decodeURIComponent(url.username);
  return url.password === '' ? { token: name } : { user: name, pass: decodeURIComponent(url.password) };
}
