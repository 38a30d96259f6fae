import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Says its environment, listens where it is told and ends on SIGTERM; what EXAMPLE_STUB says makes it misbehave. */
const stub = `
const { createServer } = require('node:http');
const isStore = process.argv.includes('--port');
const port = isStore ? process.argv[process.argv.indexOf('--port') + 1] : process.env.WRIT_HTTP_PORT;
console.log(JSON.stringify({ event: 'began', crashAt: process.env.WRIT_CRASH_AT, port }));
if (process.env.EXAMPLE_STUB === 'wrong') { console.error('WRIT_TOOLS: no such file'); process.exit(2); }
if (process.env.EXAMPLE_STUB !== 'deaf') process.on('SIGTERM', () => process.exit(0));
else process.on('SIGTERM', () => undefined);
createServer((request, response) => response.end('{}')).listen(Number(port), '127.0.0.1');
`;

/** A folder with every app as a stub. */
export function stubApps(folder: string): string {
  for (const app of ['dev-event-store', 'turn-orchestrator', 'tool-executor', 'approval-service']) {
    const dist = join(folder, 'apps', app, 'dist');
    mkdirSync(dist, { recursive: true });
    writeFileSync(join(dist, 'main.js'), stub);
  }
  return folder;
}
