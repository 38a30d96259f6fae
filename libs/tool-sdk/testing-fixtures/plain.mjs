import { appendFileSync } from 'node:fs';

const anything = { type: 'object' };

export const echo = {
  name: 'echo',
  description: 'Gives back its arguments.',
  input: anything,
  effect: 'read',
  run: (args) => args,
};

export default {
  name: 'note',
  description: 'Appends a line to a file.',
  input: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] },
  effect: 'idempotent',
  concurrency: { writes: ['/file'] },
  run({ file }, ctx) {
    appendFileSync(file, `${ctx.idempotencyKey}\n`);
    ctx.log('noted');
    return 'noted';
  },
};
