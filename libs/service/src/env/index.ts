export { crashPointsOf } from '@writ/runtime';
export type { CrashAt } from './crash-at';
export { parseEnv, readEnv, wrongUsage, type EnvReading } from './read-env';
export { defaultInstanceName, serviceEnv, type ServiceEnv } from './service-env';
export { file, httpUrl, logLevel, milliseconds, port, secret, text, type LogLevel } from './settings';
