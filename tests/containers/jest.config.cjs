/** Only `npm run test:containers` runs these: they need a container engine and images. */
const preset = require('../../jest.config.cjs');

module.exports = {
  ...preset,
  rootDir: '../..',
  roots: ['<rootDir>/tests/containers'],
  testMatch: ['**/src/**/*.containers.spec.ts'],
};
