import { eventStoreConformance } from '../testing';
import { findRealStore } from '../testing/real-store';
import { spawnStore } from '../testing/spawned-store';

eventStoreConformance('the embedded server', spawnStore, { restarts: true, freezes: true, faults: true });

const real = findRealStore();
if (real.found) eventStoreConformance('EventStoreDB', real.open);
else process.stderr.write(`EventStoreDB itself was not tested: ${real.why}\n`);
