/**
 * Programs that npm does not bring: nats-server for the stack, strace for the proof that the event store's
 * acknowledged writes are on disk, faketime for services whose wall clocks are wrong. From the path, else by apt-get or Homebrew where that needs no question.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { say, stop } from './say.mjs';

/** Where package managers put servers and where a user's PATH often does not look. */
const furtherFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/usr/local/bin'];

const knownPrograms = {
  'nats-server': {
    apt: 'nats-server',
    brew: 'nats-server',
    insteadOf: () => (hasDocker() ? 'nats-server is not installed: Docker will run it.' : undefined),
    otherwise:
      'nats-server is missing: install it (https://docs.nats.io) or put it on the PATH, then try again.',
  },
  debootstrap: {
    apt: 'debootstrap',
    insteadOf: () => undefined,
    otherwise: 'debootstrap is missing: install it (apt-get install debootstrap), then try again.',
  },
  faketime: {
    apt: 'faketime',
    insteadOf: () =>
      process.platform === 'linux' ? undefined : 'faketime is for Linux here: going on without.',
    otherwise: 'faketime is missing: install it (apt-get install faketime), then try again.',
  },
  strace: {
    apt: 'strace',
    insteadOf: () =>
      process.platform === 'linux' ? undefined : 'strace exists on Linux only: going on without.',
    otherwise: 'strace is missing: install it (apt-get install strace), then try again.',
  },
};

/** Makes each program reachable by PATH, or stops with one line that says what to install. */
export function ensurePrograms(names) {
  const missing = names.filter((name) => !reach(name));
  if (missing.length === 0) return;
  installByApt(missing);
  installByBrew(missing.filter((name) => !reach(name)));
  for (const name of missing.filter((each) => !reach(each))) {
    const instead = knownPrograms[name].insteadOf();
    if (instead === undefined) stop(knownPrograms[name].otherwise);
    say(instead);
  }
}

/** Whether PATH, extended by the folder if need be, leads to the program. */
function reach(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  if (folders.some((folder) => isExecutable(join(folder, name)))) return true;
  const folder = furtherFolders.find((each) => isExecutable(join(each, name)));
  if (folder === undefined) return false;
  process.env.PATH = [...folders, folder].join(delimiter);
  return true;
}

function installByApt(names) {
  const sudo = rootPrefix();
  if (!works('apt-get', ['--version']) || sudo === undefined) return;
  const packages = names.map((name) => knownPrograms[name].apt);
  say(`Installing ${packages.join(' and ')} with apt-get …`);
  const wait = ['-o', 'DPkg::Lock::Timeout=120', '-qq'];
  quietly([...sudo, 'apt-get', ...wait, 'update']);
  quietly([...sudo, 'apt-get', ...wait, 'install', '-y', '--no-install-recommends', ...packages]);
}

function installByBrew(names) {
  const packages = names.map((name) => knownPrograms[name].brew).filter((name) => name !== undefined);
  if (packages.length === 0 || !works('brew', ['--version'])) return;
  say(`Installing ${packages.join(' and ')} with Homebrew …`);
  quietly(['brew', 'install', '--quiet', ...packages]);
}

/** How to become root without a question; undefined: not at all. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return works('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

/** A package manager's own words are for the case that it fails. */
function quietly([program, ...args]) {
  const noQuestions = {
    DEBIAN_FRONTEND: 'noninteractive',
    NONINTERACTIVE: '1',
    HOMEBREW_NO_AUTO_UPDATE: '1',
  };
  const env = { ...process.env, ...noQuestions };
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  if (status !== 0) say(`${stdout ?? ''}${stderr ?? ''}`.trim());
}

function hasDocker() {
  return works('docker', ['info']);
}

function works(program, args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
