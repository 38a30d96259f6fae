import ts from 'typescript';

/** What a pure function cannot know. Time, ids and randomness enter with the command. */
const impureGlobals = new Set([
  ...['Date', 'performance', 'Intl', 'crypto', 'process', 'globalThis', 'global', 'console', 'require'],
  ...[
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'fetch',
    'Buffer',
    '__dirname',
    '__filename',
  ],
]);

/** Everything in a source text of the core that reaches out of it; one line each. */
export function impurities(source: string): readonly string[] {
  const file = ts.createSourceFile('core.ts', source, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = impurityOf(node);
    if (what !== undefined)
      found.push(`line ${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...foreignImports(source), ...found];
}

function impurityOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') return 'Math.random';
  if (ts.isIdentifier(node) && impureGlobals.has(node.text) && !isMereName(node)) return node.text;
  if (ts.isElementAccessExpression(node) && node.expression.getText() === 'Math') return 'Math[…]';
  return undefined;
}

/** `x.process` and `{ process: 1 }` name a property and reach for nothing. */
function isMereName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent)) &&
    parent.name === node
  );
}

function foreignImports(source: string): readonly string[] {
  return ts
    .preProcessFile(source)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith('.') && name !== '@writ/contracts')
    .map((name) => `import of ${name}`);
}
