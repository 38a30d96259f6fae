/**
 * Lints every fixture as if it stood at the path that its first line names, with the repository's own configuration,
 * and prints `{projects, vendors, reports: [{fixture, as, breaks, reported: [rule and message id]}]}`. A process of its
 * own, since ESLint's configuration is an ES module that Jest cannot load.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { projects, vendors } from './boundaries.mjs';

const here = fileURLToPath(new URL('./', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

const eslint = new ESLint({
  cwd: root,
  // A fixture is no file of its project, so rules that need types cannot see it.
  overrideConfig: [
    { files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked },
    { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } },
  ],
});

/** The rule sees what is installed: of a package that is not, there is nothing to prove and nothing to fear. */
const isInstalled = (name) => existsSync(`${root}node_modules/${name.replace('/*', '')}`);

const reports = [];
for (const fixture of readdirSync(`${here}fixtures`)) {
  const text = readFileSync(`${here}fixtures/${fixture}`, 'utf8');
  const [, as] = /^\/\/ as: (.+)$/m.exec(text);
  const packages = [...text.matchAll(/ from '([^.'][^']*)'/g)].map(([, name]) => name);
  if (packages.some((name) => !isBuiltin(name) && !isInstalled(name))) continue;
  const [, breaks] = /^\/\/ breaks: (.+)$/m.exec(text);
  const [{ messages }] = await eslint.lintText(text, { filePath: `${root}${as}` });
  reports.push({ fixture, as, breaks, reported: messages.map(describe) });
}
process.stdout.write(
  JSON.stringify({ projects, vendors: Object.keys(vendors).filter(isInstalled), reports }),
);

function describe({ ruleId, messageId, message }) {
  return ruleId === null ? message : `${ruleId} ${messageId}`;
}
