/** `npm run bench`: prepares, then measures. */
import { prepare } from './prepare.mjs';

prepare({ programs: ['nats-server'] });
await import('../bench/dist/main.js');
