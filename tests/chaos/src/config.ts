import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseYamlFile } from '@writ/service';
import { z } from 'zod';
import { chaosLimits } from './limits';
import { heirPoints, pointNames } from './points';

/**
 * `kill`: a process dies at its point. `frozen`: it stops there for longer than its lease lives, and wakes. `held`: it stands
 * there while another service, the store or the broker is killed or frozen. `silent`, `store`, `broker`: harm at no point.
 */
export const kinds = ['kill', 'held', 'frozen', 'silent', 'store', 'broker'] as const;
export const storeFaults = [
  'hold',
  'delay',
  'store_then_drop_ack',
  'store_then_wrong_version',
  'disconnect',
  'fail_unavailable',
] as const;
export type Kind = (typeof kinds)[number];
export type StoreFault = (typeof storeFaults)[number];

const heirs: ReadonlySet<string> = new Set(heirPoints);
const count = z.number().int().min(1).max(chaosLimits.services.max);
const { default: ttl, min, max } = chaosLimits.leaseTtl;

/** The example is fixtures/chaos.yaml, which is what a run without --config uses. */
const fileSchema = z
  .strictObject({
    tools: z.string().default('./writ.tools.yaml'),
    rules: z.string().default('./writ.config.yaml'),
    services: z
      .strictObject({
        orchestrators: count.default(2),
        executors: count.default(2),
        approvals: count.default(2),
      })
      .prefault({}),
    leaseTtlMs: z.number().int().min(min).max(max).default(ttl),
    turns: z.number().int().min(1).max(chaosLimits.turns.max).default(2),
    sideBySide: z
      .number()
      .int()
      .min(1)
      .max(chaosLimits.sideBySide.max)
      .default(chaosLimits.sideBySide.default),
    points: z
      .array(z.enum(pointNames))
      .min(1)
      .default([...pointNames]),
    kinds: z
      .array(z.enum(kinds))
      .min(1)
      .default([...kinds]),
    storeFaults: z
      .array(z.enum(storeFaults))
      .min(1)
      .default([...storeFaults]),
  })
  .superRefine(({ points, services }, ctx) => {
    const lacking = points.find((point) => heirs.has(point));
    if (lacking === undefined || services.executors > 1) return;
    const message = `${lacking} is a point of the heir, so there must be two`;
    ctx.addIssue({ code: 'custom', path: ['services', 'executors'], message });
  });
export type ChaosConfig = z.output<typeof fileSchema>;

export type ConfigReading =
  | { readonly ok: true; readonly config: ChaosConfig }
  /** For a person, one line per problem. */
  | { readonly ok: false; readonly problems: readonly string[] };

export function readConfig(file: string): ConfigReading {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { ok: false, problems: [`--config: ${file} is no file that can be read.`] };
  }
  const reading = parseYamlFile(text, file, fileSchema);
  if (!reading.ok) return reading;
  const at = (path: string): string => resolve(dirname(file), path);
  const { tools, rules, ...rest } = reading.value;
  return { ok: true, config: { ...rest, tools: at(tools), rules: at(rules) } };
}
