import type { BusWorld } from './bus-world';
import { describeHints } from './conformance-hints';
import { describeOutages } from './conformance-outages';
import { describeWakes } from './conformance-wakes';

/** The suite that every bus must pass. A world for each case, disposed after it. */
export function describeBus(name: string, open: () => Promise<BusWorld>): void {
  describe(name, () => {
    let world: BusWorld | undefined;
    const present = (): BusWorld => {
      if (world === undefined) throw new Error('there is a world only inside a case');
      return world;
    };
    beforeEach(async () => {
      world = await open();
    });
    afterEach(async () => {
      await world?.dispose();
      world = undefined;
    });
    describeWakes(present);
    describeHints(present);
    describeOutages(present);
  });
}
