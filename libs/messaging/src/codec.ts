/** Bytes on the wire and back. Nothing unparsed gets past this file. */
import {
  cancelSchema,
  controlNoticeSchema,
  noticeSchema,
  wakeSchema,
  type Cancel,
  type ControlNotice,
  type Notice,
  type Wake,
} from '@writ/contracts';
import { MAX_HINT_BYTES, MAX_WAKE_BYTES } from './limits';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export const encodeWake = (wake: Wake): Uint8Array | undefined => encode(wake, MAX_WAKE_BYTES);
export const encodeHint = (hint: Notice | ControlNotice | Cancel): Uint8Array | undefined =>
  encode(hint, MAX_HINT_BYTES);

/** Undefined where the bytes are no wake. */
export function parseWake(bytes: Uint8Array): Wake | undefined {
  return wakeSchema.safeParse(parseJson(bytes, MAX_WAKE_BYTES)).data;
}

export function parseNotice(bytes: Uint8Array): Notice | ControlNotice | undefined {
  const value = parseJson(bytes, MAX_HINT_BYTES);
  return controlNoticeSchema.safeParse(value).data ?? noticeSchema.safeParse(value).data;
}

export function parseCancel(bytes: Uint8Array): Cancel | undefined {
  return cancelSchema.safeParse(parseJson(bytes, MAX_HINT_BYTES)).data;
}

/** Undefined where it would be larger than its limit. */
function encode(value: object, maxBytes: number): Uint8Array | undefined {
  const bytes = encoder.encode(JSON.stringify(value));
  return bytes.length <= maxBytes ? bytes : undefined;
}

function parseJson(bytes: Uint8Array, maxBytes: number): unknown {
  if (bytes.length > maxBytes) return undefined;
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}
