/** Reads a rendered transcript as a stranger would: nothing here knows how it was put together. */

export type Fields = { readonly [key: string]: unknown };

export const fieldsOf = (value: unknown): Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

/** What both providers take as the id of a call, and interfaces.md promises. */
export const legalId = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-zA-Z0-9_-]{1,40}$/.test(value);

export const legalName = (value: unknown): boolean =>
  typeof value === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(value);

/** Half a surrogate pair anywhere in keys or texts. */
export function hasBrokenText(value: unknown): boolean {
  if (typeof value === 'string')
    return /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value);
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, inner]) => hasBrokenText(key) || hasBrokenText(inner));
}

export function isObjectText(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Takes the expected ids off the front of `answers`, in order; says what does not fit. */
export function unanswered(asked: readonly unknown[], answers: readonly unknown[], where: string): string[] {
  return asked.flatMap((id, index) => {
    const answer = answers[index];
    if (answer === id) return [];
    return [`${where}: call ${String(id)} is not answered in its place`];
  });
}
