import { defineTool } from '@writ/tool-sdk';
import { z } from 'zod';

export default defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'read',
  async run({ a, b }, ctx) {
    ctx.log.info(`adding for ${ctx.callId}`);
    return { sum: a + b };
  },
});
