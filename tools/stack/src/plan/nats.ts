import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { host, storePort } from './addresses';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where package managers put servers and where a user's PATH often does not look. */
const furtherFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/usr/local/bin'];
const image = 'nats:2.11-alpine';
const portInside = 4222;

export interface NatsOptions {
  readonly path: string | undefined;
  readonly data: string;
  readonly portBase: number;
}

/** nats-server with JetStream: from the path, else from Docker; undefined where neither is there. */
export function natsProgram({ path, data, portBase }: NatsOptions): Program | undefined {
  const port = String(storePort(portBase, 'nats'));
  const folder = join(data, 'nats');
  const found = [...(path ?? '').split(delimiter), ...furtherFolders]
    .map((each) => join(each, 'nats-server'))
    .find(isExecutable);
  if (found !== undefined) return { command: found, args: ['-js', '-sd', folder, '-p', port, '-a', host] };
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) return undefined;
  const published = ['-p', `${host}:${port}:${portInside}`, '-v', `${folder}:/data`];
  return { command: 'docker', args: ['run', '--rm', '--init', ...published, image, '-js', '-sd', '/data'] };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
