import { join } from 'node:path';
import { withStore } from './context';
import { outTo } from './print/out';
import { runLine } from './program';
import { storeUrl } from './store-url';

const root = join(__dirname, '..', '..', '..');
const out = outTo(process.stdout, process.stderr);

// Whoever reads may stop reading (`| head`); that is no fault of anybody.
process.stdout.on('error', () => process.exit());

void runLine(process.argv.slice(2), {
  run: (command, { eventstore: option, json = false }) => {
    const environment = process.env['WRIT_EVENTSTORE_URL'];
    const url = storeUrl({ option, environment, noteFile: join(root, '.writ', 'stack.json') });
    return withStore({ out, url, json }, command);
  },
  configFile: process.env['WRIT_CONFIG'] || 'writ.config.yaml',
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}).then((code) => {
  process.exitCode = code;
});
