/** `npm run up`: the whole of Writ on this machine, until Ctrl-C. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { humanReport, jsonReport, readArguments, usage, type UpArguments } from './cli';
import { root } from './options';
import { startStack } from './start-stack';
import type { Stack } from './stack';

const wrongUsage = 2;
const env = process.env;

async function main(): Promise<void> {
  const reading = readArguments(process.argv.slice(2));
  if (!reading.ok) return quit(reading.line, wrongUsage);
  if (reading.args.help) return void process.stdout.write(`${usage}\n`);
  await run(reading.args);
}

async function run(args: UpArguments): Promise<void> {
  const write = (text: string): void => void process.stdout.write(text);
  const report = args.json ? jsonReport(write) : humanReport(write);
  const data = resolve(args.data ?? join(root, '.writ'));
  const stopping = onStop();
  const started = await startStack({
    ...args,
    data,
    config: given(args.config ?? env['WRIT_CONFIG'], 'writ.config.yaml'),
    tools: given(args.tools ?? env['WRIT_TOOLS'], 'writ.tools.yaml'),
    env,
    note: join(root, '.writ', 'stack.json'),
    signal: stopping.first,
    onEvent: report.event,
  });
  if (!started.ok) return stopping.first.aborted ? undefined : quit(started.line, 1);
  report.ready(started.stack, data);
  await end(started.stack, stopping);
}

async function end(stack: Stack, { first, second }: Stopping): Promise<void> {
  if (!first.aborted) await once(first, 'abort');
  second.addEventListener('abort', () => void stack.abort().then(() => process.exit(1)));
  await stack.close();
  process.exit(0);
}

interface Stopping {
  readonly first: AbortSignal;
  readonly second: AbortSignal;
}

/** npm hands on a signal that the whole process group has got already: what comes this soon is the same wish. */
const sameWishMs = 1_000;

/** The first signal stops in order, a second one at once. */
function onStop(): Stopping {
  const [first, second] = [new AbortController(), new AbortController()];
  let firstAt = 0;
  const onSignal = (): void => {
    if (!first.signal.aborted) firstAt = performance.now();
    else if (performance.now() - firstAt < sameWishMs) return;
    (first.signal.aborted ? second : first).abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return { first: first.signal, second: second.signal };
}

/** What was asked for, from where npm was called if need be; else a file of the root's; else the example (undefined). */
function given(path: string | undefined, fallback: string): string | undefined {
  if (path !== undefined && path !== '') {
    const fromCaller = resolve(env['INIT_CWD'] ?? '.', path);
    return existsSync(path) || !existsSync(fromCaller) ? resolve(path) : fromCaller;
  }
  return existsSync(join(root, fallback)) ? join(root, fallback) : undefined;
}

function quit(line: string, code: number): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = code;
}

void main();
