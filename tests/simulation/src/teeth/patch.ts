/** Unified diffs without line numbers: each hunk is found by its text, which must stand in the file exactly once. */

export interface Hunk {
  readonly find: string;
  readonly replace: string;
}

/** What a patch does to one file, named from the repository's root. */
export interface FileChange {
  readonly file: string;
  readonly hunks: readonly Hunk[];
}

/** The changes of a diff: `--- a/<file>` begins a file, `@@` a hunk; the text before the first file is not looked at. */
export function readChanges(diff: string): readonly FileChange[] {
  return diff
    .split(/^--- a\//m)
    .slice(1)
    .map((part) => {
      const [file = '', ...hunks] = part.split(/^@@.*\n/m);
      return { file: (file.split('\n')[0] ?? '').trim(), hunks: hunks.map(readHunk) };
    });
}

function readHunk(text: string): Hunk {
  const lines = text.trimEnd().split('\n');
  const without = (sign: string): string =>
    lines.flatMap((line) => (line.startsWith(sign) ? [] : [line.slice(1)])).join('\n');
  return { find: without('+'), replace: without('-') };
}

export type Patched =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** The file's text with every hunk applied; a hunk that stands there never or twice says so. */
export function applyHunks(text: string, { file, hunks }: FileChange): Patched {
  let patched = text;
  for (const { find, replace } of hunks) {
    const parts = patched.split(find);
    if (parts.length !== 2) {
      const [line = ''] = find.split('\n');
      return { ok: false, problem: `${file} has ${parts.length - 1} times, not once: ${line.trim()} …` };
    }
    patched = parts.join(replace);
  }
  return { ok: true, text: patched };
}
