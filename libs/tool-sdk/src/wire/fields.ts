/**
 * Checked reads of small JSON records in the host and in tool processes. Not zod: twelve megabytes and thirty
 * milliseconds for each of many processes, for records that only our own code writes.
 */
export interface Fields {
  readonly [key: string]: unknown;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseFields(payload: Buffer): Fields {
  const value: unknown = JSON.parse(payload.toString('utf8'));
  if (!isFields(value)) throw new TypeError('not a record');
  return value;
}

export function textField(fields: Fields, key: string): string {
  const value = fields[key];
  if (typeof value !== 'string') throw new TypeError(`${key} is not a text`);
  return value;
}

export function numberField(fields: Fields, key: string): number {
  const value = fields[key];
  if (typeof value !== 'number') throw new TypeError(`${key} is not a number`);
  return value;
}

export function textsField(fields: Fields, key: string): readonly string[] {
  const value = fields[key];
  if (!Array.isArray(value)) throw new TypeError(`${key} is not a list`);
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw new TypeError(`${key} has an item that is not a text`);
    return item;
  });
}

export const jsonPayload = (value: object): Buffer => Buffer.from(JSON.stringify(value), 'utf8');
