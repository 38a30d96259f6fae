import { accessSync, constants, statSync } from 'node:fs';
import { crashPointsOf } from '@writ/service';
import { appMain, crashServiceOf, neededPorts, type StackLayout } from './plan';
import { takenPort } from './plan/free-ports';

const apps = ['dev-event-store', 'turn-orchestrator', 'tool-executor', 'approval-service'];

/** What would keep the stack from starting, in one line that says what to do; undefined: nothing. */
export async function obstacle(layout: StackLayout): Promise<string | undefined> {
  const unreadable = unreadableFile('--config', layout.config) ?? unreadableFile('--tools', layout.tools);
  if (unreadable !== undefined) return unreadable;
  const crashAt = layout.env['WRIT_CRASH_AT'];
  if (crashAt !== undefined && crashAt !== '' && crashServiceOf(crashAt) === undefined) {
    const names = Object.values(crashPointsOf).flat().join(', ');
    return `WRIT_CRASH_AT: found ${JSON.stringify(crashAt)}; allowed: one of ${names}, and :n for its n-th pass, :stop to freeze there`;
  }
  const unbuilt = apps.find((app) => !isReadable(appMain(layout.root, app)));
  if (unbuilt !== undefined) return `apps/${unbuilt} is not built: run \`npm run build\`.`;
  const taken = await takenPort(neededPorts(layout.portBase, layout.instances));
  if (taken === undefined) return undefined;
  return `Port ${taken.port} (${taken.owner}) is in use: stop what listens there or choose another --port-base.`;
}

function unreadableFile(option: string, path: string): string | undefined {
  return isReadable(path) ? undefined : `${option}: ${path} is no file that can be read.`;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
