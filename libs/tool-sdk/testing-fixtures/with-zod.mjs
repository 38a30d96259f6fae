import { z } from 'zod';

const common = { description: 'Takes a zod schema.', effect: 'read', run: (args) => args };

export const fits = {
  ...common,
  name: 'fits',
  input: z.object({
    from: z.string().min(1).describe('an account'),
    cents: z.number().int().positive(),
    tags: z.array(z.enum(['a', 'b'])).optional(),
  }),
};
