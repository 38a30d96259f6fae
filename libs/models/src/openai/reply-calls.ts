import type { ProposedCall } from '@writ/runtime';
import { z } from 'zod';

const fieldsSchema = z.record(z.string(), z.unknown()).catch({});
const idSchema = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined);
const nameSchema = z.string().catch('');

/**
 * One entry of `tool_calls`, whatever it is. Nothing is dropped, completed or read a second time: an entry without a
 * name is a call without a name, and what cannot run is refused where all calls are judged, beside siblings that run.
 */
export function readCall(entry: unknown): ProposedCall {
  const fields = fieldsSchema.parse(entry);
  const id = idSchema.parse(fields['id']);
  const called =
    fields['function'] === undefined ? customCall(fields['custom']) : readFunction(fields['function']);
  return { ...(id === undefined ? {} : { id }), ...called };
}

/** The older spelling of a single call, which has no id. */
export function readFunction(value: unknown): ProposedCall {
  const fields = fieldsSchema.parse(value);
  return { name: nameSchema.parse(fields['name']), ...argumentsOf(fields['arguments']) };
}

/** Tools of this kind are never offered, but a model may call one all the same; its input is no JSON. */
function customCall(value: unknown): ProposedCall {
  const fields = fieldsSchema.parse(value);
  return { name: nameSchema.parse(fields['name']), ...argumentsOf(fields['input']) };
}

function argumentsOf(sent: unknown): Pick<ProposedCall, 'arguments' | 'sentAs'> {
  if (typeof sent === 'string') return { arguments: sent };
  if (sent === null || sent === undefined) return { arguments: '' };
  return { arguments: asJson(sent), sentAs: kindOf(sent) };
}

function kindOf(sent: unknown): NonNullable<ProposedCall['sentAs']> {
  if (typeof sent === 'number') return 'number';
  if (typeof sent === 'boolean') return 'boolean';
  return Array.isArray(sent) ? 'list' : 'object';
}

/** Empty where the value nests too deeply to be written down. */
function asJson(sent: unknown): string {
  try {
    return JSON.stringify(sent);
  } catch {
    return '';
  }
}
