import { readConfig } from './config';

function problemOf(...argv: string[]): string {
  const reading = readConfig(argv);
  return reading.ok ? '' : reading.problem;
}

describe('the command line', () => {
  it('is a folder, a port and what may be left out', () => {
    expect(readConfig(['--data', 'd', '--port', '2113'])).toEqual({
      ok: true,
      config: { data: 'd', port: 2113, host: '127.0.0.1' },
    });
    expect(readConfig(['--data', 'd', '--port', '0', '--fault-port', '7', '--host', '::1'])).toEqual({
      ok: true,
      config: { data: 'd', port: 0, faultPort: 7, host: '::1' },
    });
  });

  it.each([
    [['--port', '1'], '--data'],
    [['--data', 'd'], '--port'],
    [['--data', 'd', '--port', 'x'], '--port: a whole number from 0 to 65535'],
    [['--data', 'd', '--port', '65536'], '--port: a whole number from 0 to 65535'],
    [['--data', 'd', '--port', ''], '--port'],
    [['--data', 'd', '--port', '1', '--fault-port', '-1'], '--fault-port'],
    [['--data', 'd', '--port', '1', '--volume', '11'], '--volume'],
  ])('refuses %j in one line that names the option', (argv, named) => {
    expect(problemOf(...argv)).toContain(named);
    expect(problemOf(...argv)).toContain('usage: ');
    expect(problemOf(...argv)).not.toContain('\n');
  });
});
