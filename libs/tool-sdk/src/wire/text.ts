/** Cuts between code points, never inside a surrogate pair. */
export function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, splits ? chars - 1 : chars)}…`;
}

export const wellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
