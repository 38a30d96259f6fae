/**
 * `npm test`: installs, lints, type-checks and runs every test that needs no Docker. Goes on after a failure, so
 * that one run shows all of them. The last line of stdout is `N passed, N failed`; the exit code is 1 unless N failed is 0.
 */
import { jest, runBounded } from './account.mjs';
import { compile, prepare } from './prepare.mjs';
import { say } from './say.mjs';

const workers = '--maxWorkers=2';
const slowSpecs = '\\.(int|e2e)\\.spec\\.ts$';

prepare({ programs: ['nats-server', 'strace', 'faketime'], build: false });
const steps = [
  ['Lint (through nx, which gives the boundary rule its project graph)', async () => check(await lint())],
  ['Type check', () => check(compile())],
  ['Unit tests', () => jest([workers, '--testPathIgnorePatterns', '/node_modules/', slowSpecs])],
  ['Tests against real processes', () => jest([workers, '--testPathPatterns', slowSpecs])],
];
const total = { passed: 0, failed: 0 };
for (const [title, step] of steps) {
  say(`\n— ${title} —`);
  const { passed, failed } = await step();
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) say(`${title}: failed`);
}
process.exitCode = total.failed === 0 ? 0 : 1;
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);

/** Lint and type check are no tests, but their failure is a failure. */
function check(isGood) {
  return { passed: 0, failed: isGood ? 0 : 1 };
}

async function lint() {
  return (await runBounded('node_modules/.bin/nx', ['run', 'writ:eslint', '--outputStyle=stream'])) === 0;
}
