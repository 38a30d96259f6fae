/**
 * Stand-ins for images that no registry can be reached for: Debian by debootstrap with the Node that runs this, and
 * the nats-server of this machine on top. Made once; they stay with the engine.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { docker, hasImage } from './engine.mjs';
import { ensurePrograms } from './programs.mjs';
import { say, stop } from './say.mjs';

const suite = 'bookworm';
/** Bytes that a program may say. */
const largestOutput = 16 * 1024 * 1024;
/** What an image of services has no use for. */
const unneeded = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'];

export function localNodeImage() {
  const image = `writ-local/node:${process.versions.node}`;
  if (!hasImage(image)) inFolder((folder) => importDebian(folder, image));
  return image;
}

export function localNatsImage(nodeImage) {
  const image = `writ-local/nats:on-node-${process.versions.node}`;
  if (!hasImage(image)) inFolder((folder) => buildNats(folder, { image, nodeImage }));
  return image;
}

function importDebian(folder, image) {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    stop(`No registry can be reached, and ${image} can be made on Linux by root only.`);
  }
  ensurePrograms(['debootstrap']);
  say(`Making ${image} (debootstrap ${suite}, some minutes) …`);
  run('debootstrap', ['--variant=minbase', suite, folder]);
  for (const path of unneeded) rmSync(join(folder, path), { recursive: true, force: true });
  copyFileSync(process.execPath, join(folder, 'usr/local/bin/node'));
  chmodSync(join(folder, 'usr/local/bin/node'), 0o755);
  // As in the official image: services run as this user.
  appendFileSync(join(folder, 'etc/passwd'), 'node:x:1000:1000::/nonexistent:/bin/sh\n');
  appendFileSync(join(folder, 'etc/group'), 'node:x:1000:\n');
  run('sh', ['-c', 'tar --one-file-system -C "$0" -c . | docker import - "$1"', folder, image]);
}

function buildNats(folder, { image, nodeImage }) {
  ensurePrograms(['nats-server']);
  const lines = [
    `FROM ${nodeImage}`,
    'COPY nats-server /usr/local/bin/nats-server',
    'ENTRYPOINT ["nats-server"]',
  ];
  copyFileSync(onPath('nats-server'), join(folder, 'nats-server'));
  writeFileSync(join(folder, 'Dockerfile'), lines.join('\n'));
  say(`Making ${image} of the nats-server that is installed here …`);
  const env = { ...process.env, DOCKER_BUILDKIT: '0' };
  if (!docker(['build', '--quiet', '--tag', image, folder], { env })) stop(`${image} could not be built.`);
}

function onPath(program) {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => reads(path));
  return found ?? stop(`${program} is not on the PATH.`);
}

function reads(path) {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

/** A program's own words are for the case that it fails. */
function run(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: largestOutput });
  if (status !== 0) stop(`${program} failed: ${stdout ?? ''}${stderr ?? ''}`);
}

function inFolder(deed) {
  const folder = mkdtempSync(join(tmpdir(), 'writ-image-'));
  try {
    deed(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
