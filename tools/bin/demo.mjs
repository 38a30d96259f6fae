/** `npm run demo`: prepares, then shows the whole promise on a real stack. */
import { prepare } from './prepare.mjs';

prepare({ programs: ['nats-server'] });
await import('../stack/dist/demo/main.js');
