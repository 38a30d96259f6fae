/** `npm run chaos`: prepares, then runs the kill matrix. */
import { prepare } from './prepare.mjs';

prepare({ programs: ['nats-server'] });
await import('../../tests/chaos/dist/main.js');
