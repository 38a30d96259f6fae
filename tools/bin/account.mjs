/** Runs of other programs with an end, and jest's account of what passed and failed. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { say } from './say.mjs';

/** A step that takes longer hangs: it is killed and counts as failed. */
const longestStepMs = 30 * 60_000;

/** Tests that passed and failed; a suite that could not run is one failure, and so is a run without an account. */
export async function jest(selection, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'writ-test-'));
  const account = join(folder, 'jest.json');
  try {
    const args = ['--json', '--outputFile', account, ...selection];
    const status = await runBounded('node_modules/.bin/jest', args, env);
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
export function runBounded(script, args, env = {}) {
  return new Promise((resolve) => {
    const options = {
      ...{ cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, ...env } },
      ...{ timeout: longestStepMs, killSignal: 'SIGKILL' },
    };
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
