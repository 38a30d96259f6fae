import { readArguments } from '.';

describe('the arguments of `npm run up`', () => {
  const read = (...argv: string[]) => {
    const reading = readArguments(argv);
    return reading.ok ? reading.args : reading.line.split('\n')[0];
  };

  it('have defaults', () => {
    expect(read()).toEqual({
      portBase: 7400,
      executors: 1,
      orchestrators: 1,
      approvals: 1,
      json: false,
      restart: false,
      help: false,
    });
  });

  it('are read as they are documented', () => {
    expect(
      read('--data', 'd', '--port-base', '8400', '--executors', '2', '--json', '--restart', '--tools=t.yaml'),
    ).toMatchObject({
      data: 'd',
      tools: 't.yaml',
      portBase: 8400,
      executors: 2,
      json: true,
      restart: true,
    });
  });

  it.each([
    [['--port-base', '80'], '--port-base: a port from 1024 to 65000'],
    [['--port-base', 'x'], '--port-base: a port from 1024 to 65000'],
    [['--executors', '10'], '--executors: a whole number from 0 to 9'],
    [['--executors', '-1'], /executors/],
    [['--approvals', '1.5'], '--approvals: a whole number from 0 to 9'],
    [['--verbose'], /Unknown option '--verbose'/],
    [['extra'], /Unexpected argument 'extra'/],
  ])('are refused with what is allowed: %j', (argv, line) => {
    expect(read(...argv)).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  });
});
