/**
 * Lint through nx (`npm run lint`): the boundary rule needs the project graph that nx leaves behind. Without one the
 * rule would skip itself and the run would be green; this file stops it instead.
 */
import { readCachedProjectGraph } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import {
  depConstraints,
  layersWithoutNode,
  nodeModules,
  projects,
  specDepConstraints,
} from './tools/tidy/boundaries.mjs';

requireProjectGraph();

const noNode = "Nothing of Node's own in this layer: it comes in as data.";
const specs = ['**/*.spec.ts', '**/src/testing/**', 'tests/**/*.ts'];
/** Composition roots: the places that may read the environment. */
const roots = ['**/main.ts', '**/env.ts'];
const foldersOf = (...layers) =>
  projects.filter(({ layer }) => layers.includes(layer)).map(({ folder }) => `${folder}/**/*.ts`);
const boundaryRule = (constraints) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    { allow: [], enforceBuildableLibDependency: true, depConstraints: constraints },
  ],
});

export default tseslint.config(
  { ignores: ['**/dist/**', '**/.nx/**', '**/.writ/**', '**/coverage/**', 'tools/tidy/fixtures/**'] },
  { linterOptions: { noInlineConfig: true } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strict],
    plugins: { '@nx': nx },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...boundaryRule(depConstraints),
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      // A tool's check answers nothing or a refusal: `void` in a union says just that.
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      // What comes out of JSON.parse, a file or a socket is `any` until a schema has read it.
      '@typescript-eslint/no-unsafe-argument': 'error',
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/no-unsafe-call': 'error',
      '@typescript-eslint/no-unsafe-member-access': 'error',
      '@typescript-eslint/no-unsafe-return': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: 'error',
      // A factory counts with its closures; 60 is the number to aim at.
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      // We aim at three; a fourth is a smell, a fifth an error.
      'max-params': ['error', 4],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only a composition root (main.ts, env.ts) reads the environment.',
        },
      ],
    },
  },
  { files: ['libs/**/*.ts'], rules: { 'no-restricted-syntax': ['error', noDefaultExport()] } },
  {
    files: foldersOf(...layersWithoutNode),
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: nodeModules.map((name) => ({ name, message: noNode })),
          patterns: [{ group: ['node:*'], message: noNode }],
        },
      ],
    },
  },
  { files: roots, rules: { 'no-restricted-properties': 'off' } },
  {
    files: specs,
    rules: {
      ...boundaryRule(specDepConstraints),
      // Jest's matchers (expect.any, expect.stringMatching) are typed as any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      'max-lines-per-function': 'off',
      'no-restricted-imports': 'off',
      'no-restricted-properties': 'off',
    },
  },
);

function noDefaultExport() {
  return { selector: 'ExportDefaultDeclaration', message: 'Libraries export names.' };
}

function requireProjectGraph() {
  try {
    readCachedProjectGraph();
  } catch {
    throw new Error(
      'No project graph, so the boundary rule would be skipped: run `npm run lint`, which goes through nx.',
    );
  }
}
