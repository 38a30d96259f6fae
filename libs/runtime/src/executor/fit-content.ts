import type { ContentPart } from '@writ/contracts';
import { runtimeLimits } from '../limits';

/**
 * Bounds a result before it is committed (R15): text is cut between code points, with a mark; a JSON value that is too
 * large is given as the beginning of its text. The whole result then fits one append.
 */
export function fitContent(parts: readonly ContentPart[]): ContentPart[] {
  let left: number = runtimeLimits.resultBytes;
  const fitted: ContentPart[] = [];
  for (const part of parts) {
    const size = Buffer.byteLength(JSON.stringify(part));
    if (size <= left) {
      fitted.push(part);
      left -= size;
      continue;
    }
    const text =
      part.type === 'text'
        ? part.text
        : part.type === 'json'
          ? JSON.stringify(part.value)
          : (part.preview ?? '');
    fitted.push({ type: 'text', text: cut(text, left) });
    break;
  }
  return fitted;
}

function cut(text: string, bytes: number): string {
  const whole = Buffer.byteLength(text);
  // JSON may write one byte as six; half of what is left keeps room for that and for the mark.
  const kept = new TextDecoder('utf-8').decode(
    Buffer.from(text).subarray(0, Math.max(0, Math.floor(bytes / 8))),
  );
  const clean = kept.replace(/\uFFFD+$/, '');
  return `${clean}\n[cut: ${Buffer.byteLength(clean)} of ${whole} bytes]`;
}
