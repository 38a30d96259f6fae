import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import * as contracts from '.';

/** What a released version wrote. These files are read here and never written: a schema follows them, not they a schema. */
const golden = (file: string): unknown =>
  JSON.parse(readFileSync(join(__dirname, '..', 'golden', 'v1', file), 'utf8'));

const history = z.array(contracts.recordedEventSchema).parse(golden('history.json'));
const nameOf = ({ stream, revision, type }: contracts.RecordedEvent): string =>
  `${stream}@${revision} ${type}`;

/** The keys of each event's data with their schemas. */
const shapes = Object.entries(contracts.eventSchemas).map(
  ([type, schema]): [string, Record<string, z.ZodType>] => [type, schema.shape],
);

describe('the golden history', () => {
  it('has every type of event in it', () => {
    expect([...new Set(history.map(({ type }) => type))].sort()).toEqual(
      Object.keys(contracts.eventSchemas).sort(),
    );
  });

  it.each(history.map((event) => [nameOf(event), event] as const))(
    '%s parses and comes out unchanged',
    (_, event) => {
      const parsed = contracts.parseEvent(event);
      expect(parsed).toEqual({ ok: true, event });
    },
  );

  it('is refused as soon as an event lacks a key that it must have, or has it with another type', () => {
    for (const event of history) {
      const shape = shapes.find(([type]) => type === event.type)?.[1] ?? {};
      const data = z.record(z.string(), z.unknown()).parse(event.data);
      const required = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success);
      expect(required.length).toBeGreaterThan(0);
      for (const [key] of required) {
        const { [key]: _, ...rest } = data;
        expect(contracts.parseEvent({ ...event, data: rest })).toMatchObject({ ok: false });
        expect(contracts.parseEvent({ ...event, data: { ...data, [key]: new Map() } })).toMatchObject({
          ok: false,
        });
      }
    }
  });

  it('is refused by name and place alone: a problem quotes no value', () => {
    const [event] = history;
    const parsed = event && contracts.parseEvent({ ...event, data: { service: 'a secret' } });
    expect(parsed?.ok === false && parsed.problem).toMatch(
      /^instance-turn-orchestrator\.o1@0: InstanceStarted\.service/,
    );
    expect(JSON.stringify(parsed)).not.toContain('a secret');
  });
});

const sampleSchema = z.record(
  z.string(),
  z.array(z.object({ given: z.unknown(), parsed: z.unknown().optional() })),
);
const exported: readonly (readonly [string, unknown])[] = Object.entries(contracts);

/** Parses with the schema of that name, whatever it is; what is not exported any more is an error. */
function parseWith(name: string, given: unknown): unknown {
  const schema = exported.find(([known]) => known === name)?.[1];
  if (!(schema instanceof z.ZodType)) throw new Error(`no schema ${name}`);
  return schema.parse(given);
}

describe.each(['messages.json', 'http.json', 'config.json'])('the golden samples of %s', (file) => {
  const samples = Object.entries(sampleSchema.parse(golden(file))).flatMap(([name, list]) =>
    list.map((sample, index) => [`${name} ${index}`, name, sample] as const),
  );

  it.each(samples)('%s parses to what it always parsed to', (_, name, { given, parsed }) => {
    expect(parseWith(name, given)).toEqual(parsed ?? given);
  });
});

describe('the golden transcripts', () => {
  const transcripts = z
    .record(z.string(), z.object({ canonical: z.unknown(), openai: z.unknown(), anthropic: z.unknown() }))
    .parse(golden('transcripts.json'));

  it.each(Object.entries(transcripts))(
    'of session %s have the shapes of today',
    (_, { canonical, openai, anthropic }) => {
      expect(contracts.canonicalTranscriptSchema.parse(canonical)).toEqual(canonical);
      expect(contracts.openaiTranscriptSchema.parse(openai)).toEqual(openai);
      expect(contracts.anthropicTranscriptSchema.parse(anthropic)).toEqual(anthropic);
    },
  );
});
