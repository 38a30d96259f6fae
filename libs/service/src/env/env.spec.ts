import { z } from 'zod';
import { defaultInstanceName, file, milliseconds, parseEnv, secret, serviceEnv } from '.';

const schema = serviceEnv('tool-executor', { WRIT_TOOLS: file('writ.tools.yaml'), OPENAI_API_KEY: secret() });

function lineFor(variables: { [name: string]: string }): string {
  const reading = parseEnv(schema, variables);
  return reading.ok ? 'accepted' : reading.line;
}

describe('the environment of a service', () => {
  it('has the documented defaults', () => {
    const reading = parseEnv(schema, {});
    expect(reading).toMatchObject({
      ok: true,
      env: {
        WRIT_EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
        WRIT_NATS_URL: 'nats://127.0.0.1:4222',
        WRIT_HTTP_PORT: 7402,
        WRIT_HTTP_HOST: '127.0.0.1',
        WRIT_LEASE_TTL_MS: 5000,
        WRIT_APPEND_TIMEOUT_MS: 1500,
        WRIT_APPEND_RESOLVE_MS: 8000,
        WRIT_LOG_LEVEL: 'info',
        WRIT_TOOLS: 'writ.tools.yaml',
      },
    });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(parseEnv(schema, { WRIT_HTTP_PORT: '' })).toMatchObject({
      ok: true,
      env: { WRIT_HTTP_PORT: 7402 },
    });
  });

  it('names the variable, what was found and what is allowed, in one line', () => {
    expect(lineFor({ WRIT_HTTP_PORT: '80x' })).toBe(
      'WRIT_HTTP_PORT: found "80x"; allowed: a port from 0 (any free one) to 65535',
    );
    expect(lineFor({ WRIT_HTTP_PORT: '65536' })).toContain('found "65536"; allowed: a port from 0');
    expect(lineFor({ WRIT_LOG_LEVEL: 'loud' })).toMatch(
      /^WRIT_LOG_LEVEL: found "loud"; allowed: fatal, error, warn/,
    );
    expect(lineFor({ WRIT_INSTANCE_NAME: 'a.b' })).toMatch(
      /^WRIT_INSTANCE_NAME: found "a\.b"; allowed: 1 to 64 letters/,
    );
    expect(lineFor({ WRIT_HTTP_PORT: 'a\nb' })).not.toContain('\n');
  });

  it('says of a missing setting that it is not set', () => {
    const reading = parseEnv(z.object({ WRIT_MODEL: z.string().describe('a model name') }), {});
    expect(reading).toEqual({ ok: false, line: 'WRIT_MODEL: not set; allowed: a model name' });
  });

  it('never shows what may hold a password', () => {
    const line = lineFor({ WRIT_EVENTSTORE_URL: 'http://admin:hunter2@store' });
    expect(line).toMatch(/^WRIT_EVENTSTORE_URL: found a value that is not shown; allowed: an EventStoreDB/);
    expect(lineFor({ WRIT_NATS_URL: 'hunter2' })).not.toContain('hunter2');
  });

  it('refuses an append timer over a third of the lease, and follows a short lease where nothing is said', () => {
    expect(lineFor({ WRIT_LEASE_TTL_MS: '3000', WRIT_APPEND_TIMEOUT_MS: '1001' })).toBe(
      'WRIT_APPEND_TIMEOUT_MS: found "1001"; allowed: at most a third of WRIT_LEASE_TTL_MS, so 1000',
    );
    expect(lineFor({ WRIT_LEASE_TTL_MS: '3000', WRIT_APPEND_TIMEOUT_MS: '1000' })).toBe('accepted');
    expect(parseEnv(schema, { WRIT_LEASE_TTL_MS: '900' })).toMatchObject({
      env: { WRIT_APPEND_TIMEOUT_MS: 300 },
    });
  });

  it('refuses a lease that is too short to be renewed', () => {
    expect(lineFor({ WRIT_LEASE_TTL_MS: '299' })).toContain('whole milliseconds from 300 to 600000');
  });

  it('allows a setting of one kind in another range', () => {
    const other = z.object({ WRIT_COMMIT_GRACE_MS: milliseconds({ default: 5, min: 1, max: 9 }) });
    expect(parseEnv(other, { WRIT_COMMIT_GRACE_MS: '10' })).toMatchObject({ ok: false });
  });
});

describe('WRIT_CRASH_AT', () => {
  const crashAtOf = (text: string) => {
    const reading = parseEnv(schema, { WRIT_CRASH_AT: text });
    return reading.ok ? reading.env.WRIT_CRASH_AT : reading.line;
  };

  it('names a point and, if it is not the first, the pass', () => {
    expect(crashAtOf('K5')).toEqual({ point: 'K5', pass: 1, signal: 'SIGKILL' });
    expect(crashAtOf('K4a:3')).toEqual({ point: 'K4a', pass: 3, signal: 'SIGKILL' });
  });

  it('freezes there where it says so', () => {
    expect(crashAtOf('K5:stop')).toEqual({ point: 'K5', pass: 1, signal: 'SIGSTOP' });
    expect(crashAtOf('H2:3:stop')).toEqual({ point: 'H2', pass: 3, signal: 'SIGSTOP' });
  });

  it.each(['K2', 'K5:0', 'K5:x', 'K5:', 'K5:stop:2', 'k5', 'K5:9999999'])(
    'refuses %s, which this service does not pass',
    (text) => {
      expect(crashAtOf(text)).toMatch(
        /^WRIT_CRASH_AT: found "k?.*"; allowed: one of K4, K4a, .*, H3, and :n/i,
      );
    },
  );

  it('is refused in production', () => {
    expect(lineFor({ WRIT_CRASH_AT: 'K5', NODE_ENV: 'production' })).toBe(
      'WRIT_CRASH_AT: found "K5"; allowed: nothing, since NODE_ENV is production',
    );
  });
});

describe('the default instance name', () => {
  it('is the host name without dots and the port, legal however long the host name is', () => {
    expect(defaultInstanceName('node-1.example.org', 7402)).toBe('node-1-example-org-7402');
    expect(defaultInstanceName('a'.repeat(253), 65535)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});
