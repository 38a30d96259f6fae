/** A spec as a document names it: its path as code, and after it in quotes the titles that matter there. */
const named = /`((?:libs|apps|tests|tools)\/[^`]+\.spec\.ts)`((?:,? "[^"]+")*)/g;

/** What a document names and the repository does not have: a spec's file, or in it a title, or the beginning of one. */
export function missingSpecs(
  document: string,
  read: (path: string) => string | undefined,
): readonly string[] {
  return [...document.matchAll(named)].flatMap(([, path = '', titles = '']) => {
    const source = read(path);
    if (source === undefined) return [`${path} is missing`];
    return [...titles.matchAll(/"([^"]+)"/g)].flatMap(([, title = '']) =>
      source.includes(title) ? [] : [`${path} has no title "${title}"`],
    );
  });
}
