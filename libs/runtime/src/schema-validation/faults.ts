import type { ErrorObject } from 'ajv';
import { keptText } from '../arguments';
import { schemaLimits } from '../limits';

/**
 * What the model has to fix, bounded. Names places, keys and what the schema allows, all of which the model has sent or
 * seen; never a value of the arguments.
 */
export function faultsText(errors: readonly ErrorObject[]): string {
  const faults = [...new Set(errors.map(faultText))];
  const shown = faults.slice(0, schemaLimits.faultsListed);
  const more = faults.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function faultText({ keyword, instancePath, message, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the arguments' : instancePath;
  const text = `${place} ${message ?? `must satisfy ${keyword}`}${detail(keyword, params)}`;
  return keptText(text.replace(/\p{Cc}/gu, '?'), schemaLimits.faultCharacters);
}

/** What ajv's own message leaves out. */
function detail(keyword: string, params: Record<string, unknown>): string {
  if (keyword === 'additionalProperties') return `: ${JSON.stringify(params['additionalProperty'])}`;
  if (keyword === 'unevaluatedProperties') return `: ${JSON.stringify(params['unevaluatedProperty'])}`;
  if (keyword === 'enum') return `: ${JSON.stringify(params['allowedValues'])}`;
  if (keyword === 'const') return `: ${JSON.stringify(params['allowedValue'])}`;
  return '';
}
