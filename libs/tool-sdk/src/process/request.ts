import type { Json } from '@writ/contracts';
import type { Fields } from '../wire/fields';
import { isFields, numberField, parseFields, textField } from '../wire/fields';

export type Mode = 'run' | 'check' | 'readback';

export interface CallRequest {
  readonly mode: Mode;
  readonly tool: string;
  readonly callId: string;
  readonly idempotencyKey: string;
  readonly epoch: number;
  readonly args: { readonly [key: string]: Json };
}

export function requestFrom(payload: Buffer): Omit<CallRequest, 'args'> & { readonly args: Fields } {
  const fields = parseFields(payload);
  const mode = textField(fields, 'mode');
  const args = fields['args'];
  if (mode !== 'run' && mode !== 'check' && mode !== 'readback') throw new TypeError(`mode ${mode}`);
  if (!isFields(args)) throw new TypeError('args is not a record');
  return {
    mode,
    tool: textField(fields, 'tool'),
    callId: textField(fields, 'callId'),
    idempotencyKey: textField(fields, 'idempotencyKey'),
    epoch: numberField(fields, 'epoch'),
    args,
  };
}
