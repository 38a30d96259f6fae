import ts from 'typescript';

/** Words that say nothing about what a thing is; what it does has a better name. */
const banned = new Set(['manager', 'helper', 'helpers', 'util', 'utils', 'base', 'impl', 'common', 'shared']);

/** Banned words in the path of a source file. */
export function bannedInPath(path: string): readonly string[] {
  return path.split(/[/.-]/).filter((word) => banned.has(word.toLowerCase()));
}

/** Declared types, classes and functions with a banned word in their name. */
export function bannedDeclarations(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = declaredName(node);
    if (name !== undefined && words(name).some((word) => banned.has(word))) found.push(name);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true));
  return found;
}

function declaredName(node: ts.Node): string | undefined {
  const isNamed =
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isFunctionDeclaration(node);
  return isNamed ? node.name?.text : undefined;
}

/** `baseUrl` → base, url. */
function words(name: string): readonly string[] {
  return name.split(/(?<=[a-z0-9])(?=[A-Z])|_/).map((word) => word.toLowerCase());
}
