import { z } from 'zod';

const common = {
  description: 'Asks for what JSON Schema cannot carry.',
  effect: 'read',
  run: (args) => args,
};
const tool = (name, input) => ({ ...common, name, input });

export default [
  tool('transforms', z.object({ a: z.object({ b: z.string().transform(Number) }) })),
  tool('refines', z.object({ a: z.string().refine((text) => text !== 'x') })),
  tool(
    'refines_all',
    z.object({ a: z.string() }).refine(() => true),
  ),
  tool('trims', z.object({ a: z.array(z.string().trim()) })),
  tool('defaults', z.object({ a: z.string().default('x') })),
  tool('coerces', z.object({ a: z.coerce.number() })),
  tool('preprocesses', z.object({ a: z.preprocess((a) => a, z.string()) })),
  tool('flags', z.object({ a: z.string().regex(/x/i) })),
  tool('dates', z.object({ a: z.date() })),
];
