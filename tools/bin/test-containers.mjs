/**
 * `npm run test:containers`: builds the images, runs each alone and all as a compose stack, and the conformance suites of
 * broker and store against containers. Real images where a registry can be reached, stand-ins made here where not.
 * The last line of stdout is `N passed, N failed`; exit 1 unless N failed is 0, 3 where there is no engine.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { jest } from './account.mjs';
import {
  builderEnv,
  composeCommand,
  getsImage,
  hasEngine,
  howToGetOne,
  reachesPackages,
  sizeOf,
} from './engine.mjs';
import { localNatsImage, localNodeImage } from './local-images.mjs';
import { prepare, root } from './prepare.mjs';
import { say, stop } from './say.mjs';

/** As docker-compose.yml and the Dockerfiles name them. */
const real = {
  node: 'node:20-bookworm-slim',
  nats: 'nats:2.11.8-alpine',
  store: 'eventstore/eventstore:23.10.7-bookworm-slim',
};
const apps = ['turn-orchestrator', 'tool-executor', 'approval-service', 'dev-event-store'];
const images = 'writ-test';
const prepared = '.writ/images';

const compose = composeCommand();
if (!hasEngine() || compose === undefined) {
  say(howToGetOne);
  process.exit(3);
}
prepare({ programs: ['nats-server'] });

const hasStore = getsImage(real.store);
const base = hasStore && getsImage(real.node) ? real.node : localNodeImage();
const nats = hasStore && getsImage(real.nats) ? real.nats : localNatsImage(base);
const isBuiltInside = reachesPackages(base);
if (!isBuiltInside) prepareFolders();
say(
  `Services on ${base}, packages ${isBuiltInside ? 'installed in the build' : `made ready in ${prepared}`};`,
);
say(`broker ${nats}; event store ${hasStore ? real.store : 'the development one'}.`);

const env = {
  ...builderEnv(),
  TESTCONTAINERS_RYUK_DISABLED: 'true',
  WRIT_IMAGES: images,
  WRIT_BASE_IMAGE: base,
  WRIT_NATS_IMAGE: nats,
  WRIT_PREPARED: isBuiltInside ? '' : prepared,
  WRIT_TEST_COMPOSE: compose.join(' '),
  WRIT_TEST_STORE: hasStore ? 'real' : 'development',
  WRIT_TEST_NATS_IMAGE: nats,
};
const inOrder = ['--runInBand', '--verbose'];
const steps = [
  ['Images and the compose stack', ['--config', 'tests/containers/jest.config.cjs', ...inOrder]],
  ['The bus against NATS in a container', ['libs/messaging/src/nats/nats-bus', ...inOrder]],
  ...(hasStore
    ? [['The store against EventStoreDB', ['libs/event-store/src/eventstoredb/conformance', ...inOrder]]]
    : []),
];
const total = { passed: 0, failed: 0 };
for (const [title, selection] of steps) {
  say(`\n— ${title} —`);
  const { passed, failed } = await jest(selection, env);
  total.passed += passed;
  total.failed += failed;
}
if (!hasStore) say('\nNothing here was run against a real EventStoreDB: its image cannot be had.');
say('\nImages (MB):');
for (const image of [base, nats, ...apps.map((app) => `${images}/${app}`)])
  say(`  ${image}  ${sizeOf(image)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);

/** What a build stage would have made, made here: builders without a registry copy it. */
function prepareFolders() {
  rmSync(`${root}${prepared}`, { recursive: true, force: true });
  mkdirSync(`${root}${prepared}`, { recursive: true });
  for (const app of apps) {
    const folder = `${prepared}/${app}`;
    const made = inRoot(process.execPath, ['tools/bin/production-folder.mjs', app, folder]);
    const packed = made && inRoot('tar', ['-C', folder, '-czf', `${folder}.tar.gz`, '.']);
    if (!packed) stop(`The production folder of ${app} could not be made.`);
    rmSync(`${root}${folder}`, { recursive: true });
  }
}

function inRoot(program, args) {
  return spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
}
