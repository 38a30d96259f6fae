/**
 * What every command needs before it can start, with Node alone: packages, a build, programs.
 * Asks nothing; everything it says goes to stderr, since stdout belongs to the command.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensurePrograms } from './programs.mjs';
import { say, stop } from './say.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Installs and builds what is missing or stale, and makes `programs` reachable by PATH. */
export function prepare({ programs, build = true }) {
  requireNode();
  install();
  if (build && !compile()) stop('The build failed; what the compiler says stands above.');
  ensurePrograms(programs);
}

function requireNode() {
  const { engines } = readJson('package.json');
  const wanted = engines.node.replace('>=', '').split('.').map(Number);
  const found = process.versions.node.split('.').map(Number);
  const isOld = found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1]);
  if (isOld) stop(`Node ${process.versions.node} is too old: Writ needs ${engines.node}.`);
}

function install() {
  if (isInstalled()) return;
  say('Installing packages (npm ci) …');
  const { status } = run(npm(), ['ci', '--no-progress']);
  if (status !== 0) stop('npm ci failed; what it says stands above.');
}

/** Compares what npm says it installed with the lock file: times lie after a checkout, contents do not. */
function isInstalled() {
  if (!existsSync(`${root}node_modules/.package-lock.json`)) return false;
  const wanted = readJson('package-lock.json').packages;
  const installed = readJson('node_modules/.package-lock.json').packages;
  return Object.entries(wanted).every(([path, entry]) => {
    const isElsewhere = !path.includes('node_modules/') || entry.optional || entry.devOptional || entry.peer;
    const found = installed[path];
    return (
      isElsewhere ||
      (found !== undefined && found.version === entry.version && found.integrity === entry.integrity)
    );
  });
}

/** The type check and the build are one: `tsc -b` does nothing where nothing changed. Returns whether it passed. */
export function compile() {
  if (!existsSync(`${root}libs/contracts/dist`)) say('Building (tsc -b) …');
  return run(process.execPath, ['node_modules/.bin/tsc', '-b']).status === 0;
}

/** Runs a program in the repository's root, its output on our stderr. */
export function run(command, args, options = {}) {
  const [program, ...first] = Array.isArray(command) ? command : [command];
  return spawnSync(program, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2], ...options });
}

/** The npm that runs us, if one does: it need not be the one on the path. */
function npm() {
  const running = process.env.npm_execpath;
  return running?.endsWith('.js') ? [process.execPath, running] : 'npm';
}

function readJson(path) {
  return JSON.parse(readFileSync(`${root}${path}`, 'utf8'));
}
