import { type FaultTarget } from './fault';
import { FaultRegistry } from './fault-registry';

function target(change: Partial<FaultTarget> = {}): FaultTarget {
  return { on: 'append', stream: 'session-1', eventTypes: ['Opened'], ...change };
}

describe('armed faults', () => {
  it('act on the kind of request, the prefix of the stream and one of the event types', () => {
    const faults = new FaultRegistry();
    faults.arm({ on: 'append', stream: 'session-', eventType: 'Closed', do: 'hold' });

    expect(faults.strike(target())).toBeUndefined();
    expect(faults.strike(target({ stream: 'lease-1', eventTypes: ['Closed'] }))).toBeUndefined();
    expect(faults.strike(target({ on: 'read' }))).toBeUndefined();
    expect(faults.strike(target({ eventTypes: ['Opened', 'Closed'] }))?.do).toBe('hold');
  });

  it('act on everything of their kind if they name nothing', () => {
    const faults = new FaultRegistry();
    faults.arm({ on: 'read', do: 'disconnect' });

    expect(faults.strike(target({ on: 'read', stream: '$all', eventTypes: [] }))?.do).toBe('disconnect');
    expect(faults.strike(target({ on: 'subscribe', stream: '$all', eventTypes: [] }))).toBeUndefined();
  });

  it('act in the order in which they were armed, each as often as it says', () => {
    const faults = new FaultRegistry();
    faults.arm({ on: 'append', do: 'hold', times: 2 });
    faults.arm({ on: 'append', do: 'fail_unavailable', times: 1 });
    faults.arm({ on: 'append', do: 'disconnect' });
    const acts = [1, 2, 3, 4, 5].map(() => faults.strike(target())?.do);

    expect(acts).toEqual(['hold', 'hold', 'fail_unavailable', 'disconnect', 'disconnect']);
  });

  it('are listed with their hits, used up or not, until they are healed', () => {
    const faults = new FaultRegistry();
    const used = faults.arm({ on: 'append', do: 'hold', times: 1 });
    const armed = faults.arm({ on: 'append', stream: 'x', do: 'delay', ms: 5 });
    faults.strike(target());
    faults.strike(target());

    expect(faults.list()).toEqual([
      { id: used, on: 'append', do: 'hold', times: 1, hits: 1 },
      { id: armed, on: 'append', stream: 'x', do: 'delay', ms: 5, hits: 0 },
    ]);
    faults.heal();
    expect(faults.list()).toEqual([]);
    expect(faults.strike(target())).toBeUndefined();
  });

  it('let go what they hold when they are healed, first come first', async () => {
    const faults = new FaultRegistry();
    const order: number[] = [];
    const held = [1, 2, 3].map((n) => faults.untilHealed().then(() => order.push(n)));
    await Promise.resolve();
    expect(order).toEqual([]);
    faults.heal();
    await Promise.all(held);

    expect(order).toEqual([1, 2, 3]);
  });
});
