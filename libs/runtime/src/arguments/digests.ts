import type { Json } from '@writ/contracts';
import { digestOf, digestOfText } from '../digest';

export interface DigestedCall {
  /** The resolved name. */
  readonly tool: string;
  readonly definitionDigest: string;
  readonly args: { readonly [key: string]: Json };
}

/** The digest that is staged, approved, checked at the claim and audited: over the parsed value, not its spelling. */
export const argumentsDigest = ({ tool, definitionDigest, args }: DigestedCall): string =>
  digestOf({ tool, definitionDigest, args });

/** Of a text that is no arguments, or whose tool is not known: over its UTF-8 bytes. */
export const rawDigest = (raw: string): string => digestOfText(raw);
