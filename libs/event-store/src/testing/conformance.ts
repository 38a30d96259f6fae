import { appendCases } from './cases/appends';
import { capCases } from './cases/caps';
import { faultCases } from './cases/faults';
import { frozenCases } from './cases/frozen';
import { idempotenceCases } from './cases/idempotence';
import { logCases } from './cases/log-reads';
import { restartCases } from './cases/restarts';
import { sizeCases } from './cases/sizes';
import { streamReadCases } from './cases/stream-reads';
import { subscriptionCases } from './cases/subscriptions';
import { Scene } from './scene';
import type { Abilities, StoreUnderTest } from './store-under-test';

/** Milliseconds for a store to start, and for one case. */
const START_MS = 180_000;
const CASE_MS = 60_000;

/**
 * What every store behind the port must do. Titles name the section of the store's facts (C1 to C5: server semantics,
 * A4 to A6: outcomes and failures) or the field report (F27) or rule (protocol 5) that a case encodes. One store serves
 * all cases; each uses streams of its own, so that a store with other people's data in it will do.
 */
export function eventStoreConformance(
  name: string,
  factory: () => Promise<StoreUnderTest>,
  abilities: Abilities = {},
): void {
  describe(`${name} as an event store`, () => {
    const scene = new Scene();
    jest.setTimeout(CASE_MS);
    beforeAll(() => scene.open(factory), START_MS);
    afterAll(() => scene.close(), START_MS);

    describe('appends', () => appendCases(scene));
    describe('repeats', () => idempotenceCases(scene));
    describe('sizes', () => sizeCases(scene));
    describe('reads of a stream', () => streamReadCases(scene));
    describe('reads of the log', () => logCases(scene));
    describe('capped streams', () => capCases(scene));
    describe('followers', () => subscriptionCases(scene));
    if (abilities.restarts === true) describe('across restarts', () => restartCases(scene));
    if (abilities.faults === true) describe('under faults', () => faultCases(scene));
    if (abilities.freezes === true) describe('when it freezes', () => frozenCases(scene));
  });
}
