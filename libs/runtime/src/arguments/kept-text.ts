/**
 * A foreign text as the record keeps it: well-formed, lone surrogates replaced by U+FFFD as UTF-8 would (F11), and cut
 * between code points to `characters` at most.
 */
export function keptText(text: string, characters = Number.POSITIVE_INFINITY): string {
  const cut = text.length <= characters ? text : text.slice(0, characters).replace(/[\ud800-\udbff]$/, '');
  return cut.replace(/\p{Surrogate}/gu, '\ufffd');
}
