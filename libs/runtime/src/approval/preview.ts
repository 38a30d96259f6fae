import type { Json } from '@writ/contracts';
import { keptText, readArguments } from '../arguments';
import { digestOfText } from '../digest';
import { runtimeLimits } from '../limits';
import { maskSecrets } from './mask-secrets';

/** What a person is shown of a call, bounded; its digest goes into the request, so that what was shown can be proved. */
export function previewOf(
  tool: string,
  rawArguments: string,
): { readonly preview: string; readonly digest: string } {
  const args = shownArguments(rawArguments);
  const lines = Object.entries(args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const preview = keptText([tool, ...lines].join('\n'), runtimeLimits.previewCharacters);
  return { preview, digest: digestOfText(preview) };
}

/** The value that was hashed and will run, its secrets masked; empty where the text was never arguments. */
export function shownArguments(rawArguments: string): { [key: string]: Json } {
  const read = readArguments(rawArguments);
  return read.ok ? maskSecrets(read.args) : {};
}
