/** `npm run simulate`: prepares, then runs seeds of the deterministic simulation. */
import { prepare } from './prepare.mjs';

prepare({ programs: [] });
await import('../../tests/simulation/dist/main.js');
