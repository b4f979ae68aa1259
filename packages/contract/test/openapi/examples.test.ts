import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { buildOpenApiDocument, type JsonValue, problemSchema } from '../../src/index.ts';
import { requestComponents } from '../../src/openapi/components.ts';
import { requestExamples } from '../../src/openapi/examples/requests.ts';
import { responseExamples } from '../../src/openapi/examples/responses.ts';
import { operations } from '../../src/openapi/operations.ts';
import { componentName } from '../../src/openapi/schemas.ts';
import { at } from './at.ts';

const document = buildOpenApiDocument({ version: '1.2.3' });
const byId = new Map(operations().map((found) => [found.id, found]));

const idsOf = (examples: object) => Object.keys(examples).sort();

describe('the examples', () => {
  it('are there for every body of a request and of a response, and for nothing else', () => {
    const all = operations();
    const taking = all.filter(({ hasBody }) => hasBody).map(({ id }) => id);
    const answering = all.filter(({ response }) => response !== undefined).map(({ id }) => id);
    expect(idsOf(requestExamples)).toEqual(taking.sort());
    expect(idsOf(responseExamples)).toEqual(answering.sort());
  });

  it.each(Object.entries(requestExamples))('of the request %s is accepted', (id, example) => {
    const name = componentName(requestComponents, byId.get(id)?.body);
    expect(requestComponents[name]?.safeParse(example).error).toBeUndefined();
  });

  it.each(Object.entries(responseExamples))('of the answer to %s is complete', (id, example) => {
    const schema = byId.get(id)?.response as z.ZodType;
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
