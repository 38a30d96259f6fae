import { describeBus, openNatsWorld } from '../testing';

jest.setTimeout(60_000);

describeBus('the bus over NATS', openNatsWorld);
