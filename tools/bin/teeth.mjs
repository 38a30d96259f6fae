/** `npm run teeth`: prepares, then puts each deliberate bug into a copy of the product and lets the simulation find it. */
import { prepare } from './prepare.mjs';

prepare({ programs: [] });
await import('../../tests/simulation/dist/teeth/main.js');
