/** The container engine that is there: its commands, and what images it can get. */
import { spawnSync } from 'node:child_process';
import { root } from './prepare.mjs';

/** Milliseconds: an engine that answers at all, and a registry that is slow. */
const answerMs = 30_000;
const pullMs = 10 * 60_000;

export const howToGetOne = [
  'No Docker engine answers, so nothing was tested. To get one:',
  '  Debian, Ubuntu:  apt-get install docker.io docker-compose, then systemctl start docker (or dockerd, as root)',
  '  macOS, Windows:  Docker Desktop; elsewhere: https://docs.docker.com/engine/install',
  'DOCKER_HOST names one on another machine. Without a registry within reach debootstrap and root are needed as well.',
].join('\n');

export const hasEngine = () => succeeds('docker', ['info']);

/** The old builder needs no plugin; the compose command is a plugin in newer engines, a program in older ones. */
export function composeCommand() {
  if (succeeds('docker', ['compose', 'version'])) return ['docker', 'compose'];
  return succeeds('docker-compose', ['version']) ? ['docker-compose'] : undefined;
}

export function builderEnv() {
  const isOld = !succeeds('docker', ['buildx', 'version']);
  return isOld ? { DOCKER_BUILDKIT: '0', COMPOSE_DOCKER_CLI_BUILD: '0' } : {};
}

export const hasImage = (image) => succeeds('docker', ['image', 'inspect', image]);

/** Whether the engine has the image or can fetch it. */
export function getsImage(image) {
  return hasImage(image) || succeeds('docker', ['pull', '--quiet', image], pullMs);
}

/** Whether npm in a container of the image reaches its registry. */
export function reachesPackages(image) {
  return succeeds('docker', ['run', '--rm', image, 'npm', 'ping', '--fetch-retries=0'], answerMs);
}

/** Runs docker with its words on our stderr; whether it went well. */
export function docker(args, options = {}) {
  return spawnSync('docker', args, { cwd: root, stdio: ['ignore', 2, 2], ...options }).status === 0;
}

/** Megabytes, as the engine counts them. */
export function sizeOf(image) {
  const { stdout } = spawnSync('docker', ['image', 'inspect', '--format', '{{.Size}}', image], {
    encoding: 'utf8',
  });
  return Math.round(Number(stdout) / 1_000_000);
}

function succeeds(program, args, timeout = answerMs) {
  return spawnSync(program, args, { stdio: 'ignore', timeout }).status === 0;
}
