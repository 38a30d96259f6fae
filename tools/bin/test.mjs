/**
 * `npm test`: installs, lints, type-checks and runs every test that needs no Docker. Goes on after a failure, so
 * that one run shows all of them. The last line of stdout is `N passed, N failed`; the exit code is 1 unless N failed is 0.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, prepare, root } from './prepare.mjs';
import { say } from './say.mjs';

/** A step that takes longer hangs: it is killed and counts as failed. */
const longestStepMs = 30 * 60_000;
const slowSpecs = '\\.(int|e2e)\\.spec\\.ts$';

prepare({ programs: ['nats-server', 'strace'], build: false });
const steps = [
  ['Lint (through nx, which gives the boundary rule its project graph)', async () => check(await lint())],
  ['Type check', () => check(compile())],
  ['Unit tests', () => jest(['--testPathIgnorePatterns', '/node_modules/', slowSpecs])],
  ['Tests against real processes', () => jest(['--testPathPatterns', slowSpecs])],
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

/** Tests that passed and failed; a suite that could not run is one failure, and so is a run without an account. */
async function jest(selection) {
  const folder = mkdtempSync(join(tmpdir(), 'writ-test-'));
  const account = join(folder, 'jest.json');
  try {
    const workers = ['--maxWorkers=2'];
    const status = await runBounded('node_modules/.bin/jest', [
      ...['--json', '--outputFile', account],
      ...workers,
      ...selection,
    ]);
    const result = JSON.parse(readFileSync(account, 'utf8'));
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    return { passed: result.numPassedTests, failed: status === 0 ? failed : Math.max(failed, 1) };
  } catch (error) {
    say(`jest gave no account of its run: ${error.message}`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The exit code. A signal to us is one to the step as well: npm hands it to this process alone. */
function runBounded(script, args) {
  return new Promise((resolve) => {
    const options = { cwd: root, stdio: ['ignore', 2, 2], timeout: longestStepMs, killSignal: 'SIGKILL' };
    const child = spawn(process.execPath, [script, ...args], options);
    const endBoth = (signal) => {
      child.kill(signal);
      process.exit(1);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, endBoth);
    child.once('error', () => resolve(1));
    child.once('exit', (code) => {
      for (const signal of signals) process.off(signal, endBoth);
      resolve(code);
    });
  });
}
