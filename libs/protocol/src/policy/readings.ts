/**
 * A path, normalised lexically: `//` and `/./` collapse, `x/..` falls away, a leading `..` of a relative path stays,
 * `/..` at the root is the root, a trailing slash is kept where the text ends in one, the empty text stays empty.
 * Not done: symbolic links, percent-encoding, backslashes, case. What those mean only the tool knows.
 */
export function normalisePath(path: string): string {
  if (path === '') return '';
  const absolute = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept[kept.length - 1] !== '..') kept.pop();
    else if (!absolute) kept.push(segment);
  }
  const body = kept.join('/');
  if (body === '') return absolute ? '/' : '.';
  return `${absolute ? '/' : ''}${body}${path.endsWith('/') ? '/' : ''}`;
}

/**
 * What a string argument may say to a policy rule: one text, or two for a URL that would be another thing as a path.
 *
 * Nothing tells the policy which argument is a path, so **every** string value is read as one, and never as sent: else
 * `/tmp/../etc/passwd` would pass a rule that allows `^/tmp/`. A URL keeps its `scheme://`, and only what comes before
 * its query or fragment is normalised. Where its dot segments climb out of it, as in `a://b/../../etc/passwd`, a tool
 * that takes paths would follow them and one that takes URLs would not: both readings count.
 */
export function readingsOf(text: string): readonly string[] {
  const [, scheme, authority, path, rest] =
    /^([a-z][a-z0-9+.-]*:)\/\/([^/?#]*)([^?#]*)(.*)$/is.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || path === undefined || rest === undefined)
    return [normalisePath(text)];
  const asUrl = `${scheme}//${authority}${path === '' ? '' : normalisePath(path)}${rest}`;
  const asPath = normalisePath(text);
  // Equal but for the second slash of the scheme, which a path does not keep: the same place either way.
  return asPath === collapse(asUrl) ? [asUrl] : [asUrl, asPath];
}

const collapse = (url: string): string => url.replace(/\/{2,}/g, '/');
