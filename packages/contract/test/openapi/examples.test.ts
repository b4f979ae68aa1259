import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { buildOpenApiDocument, type JsonValue, problemSchema } from '../../src/index.ts';
import { operations } from '../../src/openapi/operations.ts';
import { at } from './at.ts';

const document = buildOpenApiDocument({ version: '1.2.3' });
const all = operations();
const requests = all.flatMap(({ id, body, requestExample: example }) =>
  example ? [{ id, schema: body as z.ZodType, example }] : [],
);
const responses = all.flatMap(({ id, response, responseExample: example }) =>
  example ? [{ id, schema: response as z.ZodType, example }] : [],
);

const idsOf = (examples: readonly { id: string }[]) => examples.map(({ id }) => id);

describe('the examples', () => {
  it('are there for every body of a request and of a response, and for nothing else', () => {
    const taking = all.filter(({ hasBody }) => hasBody).map(({ id }) => id);
    const answering = all.filter(({ response }) => response !== undefined).map(({ id }) => id);
    expect(idsOf(requests)).toEqual(taking);
    expect(idsOf(responses)).toEqual(answering);
  });

  it.each(requests)('of the request $id is accepted', ({ schema, example }) => {
    expect(schema.safeParse(example).error).toBeUndefined();
  });

  it.each(responses)('of the response of $id is complete', ({ schema, example }) => {
    expect(schema.parse(example)).toEqual(example);
  });

  it('of problems are problems with the code of their name, each of them used', () => {
    const examples = Object.entries(Object(at(document, 'components', 'examples')));
    expect(examples.length).toBeGreaterThan(25);
    for (const [code, example] of examples) {
      const value = at(example as JsonValue, 'value');
      expect(problemSchema.parse(value)).toEqual(value);
      expect(at(value, 'code')).toBe(code);
      expect(JSON.stringify(document)).toContain(`"#/components/examples/${code}"`);
    }
  });
});
