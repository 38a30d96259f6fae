// Tools that do not come back, each in another way; with a file, they leave a line in it as long as they live.
import { execSync, spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const forever = new Promise(() => {});
const loop = (file) => `while :; do echo x >> '${file}'; done`;

const ways = {
  spin({ file }) {
    for (;;) if (file) appendFileSync(file, 'x\n');
  },
  exec() {
    execSync('sleep 1000');
  },
  fifo({ fifo }) {
    readFileSync(fifo);
  },
  deaf({ file }) {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => {});
    setInterval(() => file && appendFileSync(file, 'x\n'), 1);
    return forever;
  },
  async threads({ file }) {
    for (;;) await Promise.all(Array.from({ length: 8 }, () => appendFile(file, 'x\n')));
  },
  grandchild({ file }) {
    spawn('sh', ['-c', loop(file)], { stdio: 'ignore' });
    return forever;
  },
  orphan({ file }) {
    // The shell in between ends at once, and the loop loses its parent.
    spawn('sh', ['-c', `(${loop(file)}) & exit 0`], { stdio: 'ignore' });
    return forever;
  },
  jobControl({ file }) {
    // A process group of its own, in the same session.
    spawn('sh', ['-mc', `${loop(file)} & wait`], { stdio: 'ignore' });
    return forever;
  },
  noisy() {
    for (;;) process.stdout.write(`${'noise '.repeat(400)}\n`);
  },
};

const tool = (name, effect) => ({
  name,
  description: 'Does not come back.',
  input: { type: 'object' },
  effect,
  run: (args) => ways[args.how](args),
});

export const hang = tool('hang', 'irreversible');
export const hangRead = tool('hang_read', 'read');

export const slow = {
  name: 'slow',
  description: 'Takes its time.',
  input: { type: 'object' },
  effect: 'idempotent',
  async run({ ms }) {
    await sleep(ms);
    return 'slept';
  },
};

export const slowRead = { ...slow, name: 'slow_read', effect: 'read' };

export const polite = {
  name: 'polite',
  description: 'Ends when it is asked to.',
  input: { type: 'object' },
  effect: 'irreversible',
  run: ({ word, file }, { signal }) =>
    new Promise((resolve, reject) => {
      appendFileSync(file, 'begun\n');
      signal.addEventListener('abort', () => {
        if (word === 'returns') return resolve('stopped');
        const error = new Error('stopped');
        if (word === 'not_applied') error.name = 'NotApplied';
        reject(error);
      });
    }),
};

export const crash = {
  name: 'crash',
  description: 'Ends its own process.',
  input: { type: 'object' },
  effect: 'irreversible',
  run: () => process.exit(0),
};
