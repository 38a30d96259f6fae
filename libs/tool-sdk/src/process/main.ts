/**
 * A tool process: the only place where tools' code runs. It is told what to do by its host over descriptor 3; its
 * output is not that channel. It holds no claim, no lease and no connection of ours, and may be killed at any moment.
 */
import type { ToLoad } from '../definition/load';
import { importTools } from '../definition/load';
import type { Channel } from '../wire/channel';
import { openChannel } from '../wire/channel';
import type { Fields } from '../wire/fields';
import { isFields, jsonPayload, parseFields, textField, textsField } from '../wire/fields';
import type { Frame } from '../wire/frames';
import { fromTool, toTool } from '../wire/kinds';
import { builtinNames } from '../builtin/names';
import { runCall } from './run-call';

const running = new Map<number, AbortController>();
let tools: ReadonlyMap<string, object> = new Map();

const end = (): never => process.exit(0);
const channel: Channel = openChannel({ onFrame: receive, onEnd: end });
// The parent-death signal is asked for after the fork: a host that died before that is noticed here.
if (process.argv[2] !== String(process.ppid)) end();

function receive(frame: Frame): void {
  if (frame.kind === toTool.init) void load(toLoadFrom(parseFields(frame.payload)));
  if (frame.kind === toTool.run) void run(frame);
  if (frame.kind === toTool.abort) running.get(frame.call)?.abort();
}

async function load(toLoad: ToLoad): Promise<void> {
  const loaded = await importTools(toLoad, (module) =>
    channel.send({ kind: fromTool.importing, call: 0, number: 0, payload: Buffer.from(module, 'utf8') }),
  );
  tools = loaded.byName;
  channel.send({ kind: fromTool.ready, call: 0, number: 0, payload: jsonPayload(loaded.described) });
}

async function run({ call, number, payload }: Frame): Promise<void> {
  const controller = new AbortController();
  running.set(call, controller);
  if (number === 1) channel.send({ kind: fromTool.begun, call, number: 0 });
  const answered = await runCall(payload, {
    tools,
    signal: controller.signal,
    log: (level, message) =>
      channel.send({ kind: fromTool.log, call, number: 0, payload: jsonPayload({ level, message }) }),
  });
  running.delete(call);
  channel.send({ kind: fromTool.settled, call, number: answered.status, payload: answered.payload });
}

function toLoadFrom(fields: Fields): ToLoad {
  const modules = textsField(fields, 'modules');
  const builtin = fields['builtin'];
  if (!isFields(builtin)) return { modules };
  const names = textsField(builtin, 'tools');
  return {
    modules,
    builtin: { root: textField(builtin, 'root'), tools: builtinNames.filter((name) => names.includes(name)) },
  };
}
