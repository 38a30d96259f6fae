import { eventStoreConformance } from '../testing';
import { spawnStore } from '../testing/spawned-store';

eventStoreConformance('the embedded server', spawnStore, { restarts: true, freezes: true, faults: true });
