import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';
import { serviceLimits } from './limits';

/** Where something stands in a parsed file: keys and places in lists. */
export type YamlPath = readonly PropertyKey[];

export type YamlReading<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** One line about a place of this file, `<file>:<line>: <path>: <message>`, for checks that a schema cannot make. */
      problemAt(path: YamlPath, message: string): string;
      /** Where it begins in the text, from 1 on. */
      lineOf(path: YamlPath): number;
    }
  /** One line per problem, in the order of the file; none repeats a value, since values may be secrets. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads one YAML 1.2 document and parses it with the schema; an empty file reads as `{}`. Aliases are followed, merge
 * keys are not, tags of unknown types and doubled keys are problems.
 */
export function parseYamlFile<T>(text: string, filename: string, schema: z.ZodType<T>): YamlReading<T> {
  if (Buffer.byteLength(text) > serviceLimits.configFileBytes)
    return { ok: false, problems: [`${filename}: over ${serviceLimits.configFileBytes} bytes`] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problem = (place: Located): string =>
    `${filename}:${lines.linePos(place.offset).line}: ${place.path}${place.message}`;
  const at = (path: YamlPath, message: string): Located => ({
    offset: offsetOf(document, path),
    path: `${pathText(path)}: `,
    message,
  });

  const syntax = syntaxProblems(document);
  if (syntax.length > 0) return { ok: false, problems: inOrder(syntax).map(problem) };
  const data = plainData(document);
  if (data === undefined) return { ok: false, problems: [`${filename}: its aliases resolve to too much`] };
  const parsed = schema.safeParse(data);
  if (parsed.success)
    return {
      ok: true,
      value: parsed.data,
      problemAt: (path, message) => problem(at(path, message)),
      lineOf: (path) => lines.linePos(offsetOf(document, path)).line,
    };
  const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, []));
  const located = faults.map(({ path, message }) => at(path, message));
  return { ok: false, problems: inOrder(located).map(problem) };
}

/** Undefined where aliases of aliases would fill the memory. */
function plainData(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: serviceLimits.configAliases }) ?? {};
  } catch {
    return undefined;
  }
}

interface Located {
  readonly offset: number;
  /** Ends in a colon and a space, or is empty. */
  readonly path: string;
  readonly message: string;
}

const inOrder = (places: readonly Located[]): readonly Located[] =>
  [...places].sort((left, right) => left.offset - right.offset).slice(0, serviceLimits.configProblemsListed);

/** What is wrong with the document itself, and what could not be turned into plain data without losing something. */
function syntaxProblems(document: Document.Parsed): readonly Located[] {
  const found: Located[] = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    path: '',
    // Some messages end with the text that they stumbled over.
    message: message.replace(/: .*$/s, ''),
  }));
  visit(document, {
    Pair: (_, { key }) => {
      // Schemas pass over this key in records without a word.
      if (isScalar(key) && key.value === '__proto__')
        found.push({ offset: key.range?.[0] ?? 0, path: '', message: 'the key __proto__ is not allowed' });
    },
    Alias: (_, alias) => {
      if (alias.resolve(document) === undefined)
        found.push({ offset: alias.range?.[0] ?? 0, path: '', message: 'an alias without its anchor' });
    },
  });
  return found;
}

interface Fault {
  readonly path: YamlPath;
  readonly message: string;
}

/** One fault per unknown key; of a union the alternative that fits furthest down, else all of them. */
function faultsOf(issue: z.core.$ZodIssue, above: YamlPath): readonly Fault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown key' }));
  if (issue.code !== 'invalid_union') return [{ path, message: issue.message }];
  const furthest = issue.errors.find((alternative) => alternative.some((inner) => inner.path.length > 0));
  if (furthest) return furthest.flatMap((inner) => faultsOf(inner, path));
  const messages = issue.errors.flatMap((alternative) => alternative.map((inner) => inner.message));
  return [{ path, message: messages.join(', or ') || issue.message }];
}

/** Where the path begins in the text; of a key that is missing, the innermost thing that should have had it. */
function offsetOf(document: Document.Parsed, path: YamlPath): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const found = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined;
    const child: unknown = isSeq(node) ? node.items[Number(step)] : found?.value;
    const start = rangeOf(found?.key) ?? rangeOf(child);
    if (start === undefined) break;
    offset = start;
    node = child;
  }
  return offset;
}

function rangeOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}

/** `policy[2].match.effect`; the whole file is `file`. */
function pathText(path: YamlPath): string {
  const text = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
    .replace(/\p{Cc}/gu, '?');
  return text === '' ? 'file' : text;
}
