import { parseArgs } from 'node:util';
import { z } from 'zod';

const port = z
  .string()
  .regex(/^\d+$/, 'a whole number from 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65535, 'a whole number from 0 to 65535');

const configSchema = z.strictObject({
  /** Folder of the log; created if it does not exist. */
  data: z.string().min(1),
  /** Port of the EventStoreDB protocol; 0 takes any free one. */
  port,
  host: z.string().min(1).default('127.0.0.1'),
  /** Port of the fault interface on loopback; absent: no fault injection. */
  faultPort: port.optional(),
});

export type Config = z.infer<typeof configSchema>;

export const USAGE = 'usage: main.js --data DIR --port N [--fault-port N] [--host 127.0.0.1]';

export type ConfigReading = { ok: true; config: Config } | { ok: false; problem: string };

/** Reads the command line; `problem` is one line that names the option and what is allowed. */
export function readConfig(argv: readonly string[]): ConfigReading {
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        'fault-port': { type: 'string' },
      },
    }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `${message.split('\n')[0]} ${USAGE}` };
  }
  const { 'fault-port': faultPort, ...rest } = values;
  const parsed = configSchema.safeParse({ ...rest, faultPort });
  if (parsed.success) return { ok: true, config: parsed.data };
  const problems = parsed.error.issues.map((issue) => `--${optionName(issue.path)}: ${issue.message}`);
  return { ok: false, problem: `${problems.join('; ')}; ${USAGE}` };
}

function optionName(path: readonly PropertyKey[]): string {
  const name = String(path[0]);
  return name === 'faultPort' ? 'fault-port' : name;
}
