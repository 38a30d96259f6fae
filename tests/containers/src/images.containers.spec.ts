import { apps, build, docker, eventually, imageOf, statusOf } from './engine';
import { containerLimits } from './limits';
import { openNetwork, type OwnNetwork } from './own-network';

jest.setTimeout(containerLimits.buildMs);

const services = ['turn-orchestrator', 'tool-executor', 'approval-service'] as const;

describe.each(apps)('the image of %s', (app) => {
  it('is built from its own Dockerfile', async () => {
    await build(app);
  });

  it('runs as nobody in particular, watches itself, and holds no other app, no test and no compiler', async () => {
    await build(app);
    const shown = await docker(
      'image',
      'inspect',
      '--format',
      '{{.Config.User}} {{len .Config.Healthcheck.Test}}',
      imageOf(app),
    );
    expect(shown).toMatch(/^1000:1000 [1-9]/);
    const listed = await docker('run', '--rm', '--entrypoint', 'find', imageOf(app), '/app');
    const paths = listed.split('\n');
    expect(paths.filter((path) => /^\/app\/apps\/[^/]+$/.test(path))).toEqual([`/app/apps/${app}`]);
    expect(paths).toContain(`/app/apps/${app}/dist/main.js`);
    expect(
      paths.filter((path) =>
        /\.spec\.js$|\/node_modules\/(typescript|jest|nx|eslint)$|\/src\/main\.ts$/.test(path),
      ),
    ).toEqual([]);
  });
});

describe.each(services)('%s with nothing else running', (service) => {
  let network: OwnNetwork;
  beforeAll(async () => {
    for (const app of [service, 'dev-event-store'] as const) await build(app);
    network = await openNetwork();
  });
  afterAll(() => network.dispose());

  it('lives and is not ready, gets ready once broker and store appear, and ends in order', async () => {
    const { id, url } = await network.startService(service);
    await eventually('it lives', async () => ((await statusOf(`${url}/livez`)) === 200 ? true : undefined));
    expect(await statusOf(`${url}/readyz`)).toBe(503);
    await network.startBroker();
    await eventually('the broker is seen', async () =>
      (await (await fetch(`${url}/readyz`)).text()).includes('"broker":"ok"') ? true : undefined,
    );
    expect(await statusOf(`${url}/readyz`)).toBe(503);
    await network.startStore();
    await eventually('it is ready', async () =>
      (await statusOf(`${url}/readyz`)) === 200 ? true : undefined,
    );
    await eventually('its image says healthy', async () =>
      (await docker('inspect', '--format', '{{.State.Health.Status}}', id)) === 'healthy' ? true : undefined,
    );
    await docker('stop', '--time', '30', id);
    expect(await docker('inspect', '--format', '{{.State.ExitCode}}', id)).toBe('0');
  });
});
