/** `npm run up`: prepares, then becomes the stack in this very process, so that signals and pids mean what they say. */
import { prepare } from './prepare.mjs';

prepare({ programs: ['nats-server'] });
await import('../stack/dist/main.js');
