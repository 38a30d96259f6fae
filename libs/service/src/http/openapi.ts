import { z } from 'zod';
import { problemSchema } from '@writ/contracts';

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** As in `/v1/sessions/{id}`; what stands in braces becomes a parameter. */
  readonly path: string;
  readonly summary?: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Status → what it answers with; a response without a schema has no JSON body. */
  readonly responses: {
    readonly [status: number]: { readonly description: string; readonly schema?: z.ZodType };
  };
}

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly routes: readonly Route[];
}

/** An OpenAPI 3.1 document, made of the schemas that the service parses with, so that it cannot say anything else. */
export function openapi({ title, version, routes }: ApiDescription): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return { openapi: '3.1.0', info: { title, version }, paths };
}

function operation(route: Route): object {
  const parameters = [...pathParameters(route.path), ...queryParameters(route.query)];
  const responses = Object.entries(route.responses).map(
    ([status, { description, schema }]): [string, object] => [
      status,
      { description, ...(schema ? content('application/json', schema, 'output') : {}) },
    ],
  );
  return {
    ...(route.summary === undefined ? {} : { summary: route.summary }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, ...content('application/json', route.body, 'input') } }),
    responses: {
      ...Object.fromEntries(responses),
      default: {
        description: 'What went wrong, with a stable code.',
        ...content('application/problem+json', problemSchema, 'output'),
      },
    },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => ({
    name: match[1] ?? '',
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject | undefined): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function content(mediaType: string, schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return { content: { [mediaType]: { schema: jsonSchema } } };
}
