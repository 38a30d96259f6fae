import { renameSync } from 'node:fs';
import type { Server } from 'node:net';
import { createServer } from 'node:net';

/**
 * Listens on a Unix socket and hangs up on everybody: being there is all that it says (protocol 7). The path is taken
 * by renaming, so that it is never absent and is not removed when the process ends: a dead one's path refuses.
 */
export function listenAt(path: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).destroy());
  const fresh = `${path}.${process.pid}`;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(fresh, () => {
      renameSync(fresh, path);
      resolve(server);
    });
  });
}

/** The descriptor that a server listens on. Node has no public way to ask; without it one layer of safety is missing. */
export function descriptorOf(server: Server): number | undefined {
  const handle: unknown = Reflect.get(server, '_handle');
  if (typeof handle !== 'object' || handle === null) return undefined;
  const descriptor: unknown = Reflect.get(handle, 'fd');
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
}
