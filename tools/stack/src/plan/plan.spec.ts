import { RestartBudget } from '../processes/restart-budget';
import { stackLimits } from '../limits';
import { addressesOf, crashServiceOf, neededPorts, planProcesses, type StackLayout } from '.';

const instances = { 'turn-orchestrator': 1, 'tool-executor': 2, 'approval-service': 1 };
const layout: StackLayout = {
  root: '/repo',
  data: '/data',
  portBase: 7400,
  instances,
  config: '/c.yaml',
  tools: '/t.yaml',
  env: { PATH: '/bin', OPENAI_BASE_URL: 'http://model', WRIT_CRASH_AT: 'P1' },
  envOf: {},
};

describe('the plan of a stack', () => {
  it('gives every process the documented port', () => {
    expect(addressesOf(7400, instances)).toEqual({
      orchestrator: 'http://127.0.0.1:7401',
      executor: 'http://127.0.0.1:7402',
      approvals: 'http://127.0.0.1:7403',
      eventstore: 'esdb://127.0.0.1:7404?tls=false',
      faults: 'http://127.0.0.1:7405',
      nats: 'nats://127.0.0.1:7406',
    });
    expect(neededPorts(7400, instances).map(({ port }) => port)).toEqual([
      7401, 7402, 7412, 7403, 7404, 7405, 7406,
    ]);
  });

  it('passes the environment on and names each instance', () => {
    const plans = planProcesses(layout, { command: 'nats-server', args: [] });
    expect(plans.find(({ name }) => name === 'tool-executor-2')?.env).toEqual({
      PATH: '/bin',
      OPENAI_BASE_URL: 'http://model',
      WRIT_EVENTSTORE_URL: 'esdb://127.0.0.1:7404?tls=false',
      WRIT_NATS_URL: 'nats://127.0.0.1:7406',
      WRIT_HTTP_PORT: '7412',
      WRIT_INSTANCE_NAME: 'tool-executor-2',
      WRIT_STATE_DIR: '/data/state/tool-executor-2',
      WRIT_CONFIG: '/c.yaml',
      WRIT_TOOLS: '/t.yaml',
    });
    expect(plans.find(({ name }) => name === 'approval-service-1')?.env).toMatchObject({
      WRIT_CRASH_AT: 'P1',
    });
  });

  it('knows whose crash point it is', () => {
    expect(crashServiceOf('K2')).toBe('turn-orchestrator');
    expect(crashServiceOf('K4a:3')).toBe('tool-executor');
    expect(crashServiceOf('P0')).toBe('approval-service');
    expect(crashServiceOf('K8')).toBeUndefined();
  });
});

describe('restarts', () => {
  it('are bounded within a window, for each process by itself', () => {
    const budget = new RestartBudget();
    const { max, windowMs } = stackLimits.restarts;
    const taken = Array.from({ length: max + 1 }, () => budget.take('tool-executor-1', 0));
    expect(taken).toEqual([...Array.from({ length: max }, () => true), false]);
    expect(budget.take('tool-executor-2', 0)).toBe(true);
    expect(budget.take('tool-executor-1', windowMs + 1)).toBe(true);
  });
});

describe('the limits', () => {
  it('let Ctrl-C end all within ten seconds, whatever hangs', () => {
    const { stopServicesMs, stopStoresMs, reapMs } = stackLimits;
    expect(stopServicesMs + reapMs + stopStoresMs + reapMs).toBeLessThan(9_000);
  });
});
