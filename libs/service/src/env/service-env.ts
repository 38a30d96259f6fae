import { hostname } from 'node:os';
import { instanceNameSchema, type Service } from '@writ/contracts';
import { z } from 'zod';
import { serviceLimits } from '../limits';
import { crashAt } from './crash-at';
import { anyMilliseconds, logLevel, milliseconds, port, text } from './settings';

/** Room for `-` and a port in an instance name of 64 characters. */
const longestHostName = 58;

/**
 * What every service process reads from its environment, and `extra` for what one service has beside it.
 * Times in milliseconds. For `readEnv`.
 */
export function serviceEnv<Extra extends z.ZodRawShape>(service: Service, extra: Extra) {
  return z.intersection(everyServiceEnv(service), z.object(extra));
}

export type ServiceEnv = z.output<ReturnType<typeof everyServiceEnv>>;

function everyServiceEnv(service: Service) {
  return z
    .object({
      NODE_ENV: text(''),
      WRIT_EVENTSTORE_URL: storeUrl(),
      WRIT_NATS_URL: brokerUrl(),
      WRIT_HTTP_PORT: port(serviceLimits.ports[service]),
      WRIT_HTTP_HOST: text('127.0.0.1'),
      WRIT_INSTANCE_NAME: instanceNameSchema
        .optional()
        .describe('1 to 64 letters, digits, hyphens and underscores'),
      WRIT_LEASE_TTL_MS: milliseconds(serviceLimits.leaseTtlMs),
      WRIT_APPEND_TIMEOUT_MS: anyMilliseconds(serviceLimits.appendTimeoutMs).optional(),
      WRIT_APPEND_RESOLVE_MS: milliseconds(serviceLimits.appendResolveMs),
      WRIT_LOG_LEVEL: logLevel(),
      WRIT_CRASH_AT: crashAt(service),
    })
    .superRefine(refuseMisfits)
    .transform((env) => ({
      ...env,
      WRIT_INSTANCE_NAME: env.WRIT_INSTANCE_NAME ?? defaultInstanceName(hostname(), env.WRIT_HTTP_PORT),
      WRIT_APPEND_TIMEOUT_MS: env.WRIT_APPEND_TIMEOUT_MS ?? defaultAppendTimeoutMs(env.WRIT_LEASE_TTL_MS),
    }));
}

function storeUrl() {
  return z
    .url({ protocol: /^(esdb|esdb\+discover|kurrentdb|kurrentdb\+discover)$/ })
    .default('esdb://127.0.0.1:2113?tls=false')
    .meta({ description: 'an EventStoreDB connection string (esdb://…)', secret: true });
}

function brokerUrl() {
  return z
    .string()
    .regex(/^(nats|tls):\/\/[^\s/]+/)
    .default('nats://127.0.0.1:4222')
    .meta({ description: 'a NATS URL (nats://… or tls://…)', secret: true });
}

interface FittingSettings {
  readonly NODE_ENV: string;
  readonly WRIT_LEASE_TTL_MS: number;
  readonly WRIT_APPEND_TIMEOUT_MS?: number | undefined;
  readonly WRIT_CRASH_AT?: object | undefined;
}

function refuseMisfits(env: FittingSettings, ctx: z.RefinementCtx): void {
  const longest = Math.floor(env.WRIT_LEASE_TTL_MS / 3);
  if ((env.WRIT_APPEND_TIMEOUT_MS ?? 0) > longest) {
    const message = `at most a third of WRIT_LEASE_TTL_MS, so ${longest}`;
    ctx.addIssue({ code: 'custom', path: ['WRIT_APPEND_TIMEOUT_MS'], message });
  }
  if (env.WRIT_CRASH_AT !== undefined && env.NODE_ENV === 'production') {
    ctx.addIssue({
      code: 'custom',
      path: ['WRIT_CRASH_AT'],
      message: 'nothing, since NODE_ENV is production',
    });
  }
}

/** A short lease alone is a sensible wish: the append timer follows it. */
function defaultAppendTimeoutMs(leaseTtlMs: number): number {
  return Math.min(serviceLimits.appendTimeoutMs.default, Math.floor(leaseTtlMs / 3));
}

/** The port tells two instances of one host apart and is the same after a restart. */
export function defaultInstanceName(host: string, httpPort: number): string {
  const legal = host.replace(/[^a-zA-Z0-9_-]/g, '-').slice(0, longestHostName);
  return `${legal}-${httpPort}`;
}
