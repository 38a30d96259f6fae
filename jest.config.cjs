/** One jest preset for all projects; TypeScript is transformed by swc and type-checked by `tsc -b`. */
module.exports = {
  testEnvironment: 'node',
  setupFiles: [require.resolve('reflect-metadata')],
  testEnvironmentOptions: {
    customExportConditions: ['@writ/source', 'node', 'node-addons', 'require', 'default'],
  },
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools', '<rootDir>/tests'],
  // Those in containers have a configuration and a command of their own.
  testMatch: ['**/src/**/*.spec.ts', '!**/*.containers.spec.ts'],
  moduleFileExtensions: ['ts', 'js', 'json', 'node'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
};
