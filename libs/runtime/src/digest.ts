import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** SHA-256 over RFC 8785 canonical JSON, as `sha256:<hex>`. Members that are `undefined` do not count, as in JSON. */
export function digestOf(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('a digest needs a JSON value');
  return digestOfText(text);
}

/** SHA-256 over the UTF-8 bytes of a text. */
export function digestOfText(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}
