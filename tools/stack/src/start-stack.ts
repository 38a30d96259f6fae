import { obstacle } from './checks';
import { openDataFolder } from './data-folder';
import { layoutOf, portsOf, type StackOptions } from './options';
import { natsProgram, planProcesses } from './plan';
import type { Reservation } from './plan/free-ports';
import { Stack } from './stack';

export type StackStart =
  | { readonly ok: true; readonly stack: Stack }
  /** For a person: what is in the way and what to do. Nothing is left running. */
  | { readonly ok: false; readonly line: string };

/** Starts nats-server, the event store and the services as processes of their own, and waits until all are ready. */
export async function startStack(options: StackOptions): Promise<StackStart> {
  const ports = await portsOf(options);
  if (ports === undefined) return { ok: false, line: 'No free range of ports was found.' };
  const start = await startAt(options, ports);
  if (!start.ok) ports.release();
  return start;
}

async function startAt(options: StackOptions, ports: Reservation): Promise<StackStart> {
  const layout = layoutOf(options, ports.portBase);
  const line = await obstacle(layout);
  if (line !== undefined) return { ok: false, line };
  const nats = natsProgram({ path: options.env['PATH'], data: layout.data, portBase: layout.portBase });
  if (nats === undefined) {
    return { ok: false, line: 'nats-server is missing: install it (https://docs.nats.io) or start Docker.' };
  }
  const data = openDataFolder(layout.data);
  if (!data.ok) return data;

  const { logs, note } = data.folder;
  const notes = [...new Set([note, ...(options.note === undefined ? [] : [options.note])])];
  const stack = new Stack({ layout, plans: planProcesses(layout, nats), logs, notes, ports, options });
  const failure = await Promise.race([stack.begin(), aborted(options.signal)]);
  if (failure === undefined) return { ok: true, stack };
  await stack.close();
  return { ok: false, line: failure };
}

function aborted(signal: AbortSignal | undefined): Promise<string> {
  const line = 'Stopped before it was ready.';
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve(line);
    signal?.addEventListener('abort', () => resolve(line), { once: true });
  });
}
