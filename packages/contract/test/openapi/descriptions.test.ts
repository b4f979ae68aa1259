import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument, isJsonObject, type JsonValue } from '../../src/index.ts';
import { fieldTexts, OPEN_ENUM } from '../../src/openapi/descriptions.ts';
import { componentsOf } from '../../src/openapi/schemas.ts';
import { at } from './at.ts';

const document = buildOpenApiDocument({ version: '1.2.3' });
const responses = componentsOf('response');
const schemas: Record<string, JsonValue> = Object(at(document, 'components', 'schemas'));

interface Found {
  readonly path: string;
  readonly name: string;
  readonly schema: JsonValue;
}

/** Every schema in a schema, with the name of its field. */
function within(path: string, name: string, schema: JsonValue): Found[] {
  const inside = Object.entries<JsonValue>(Object(at(schema, 'properties'))).flatMap(
    ([field, value]) => within(`${path}.${field}`, field, value),
  );
  const others = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
    [at(schema, keyword) ?? []].flat().flatMap((value) => within(`${path} ${keyword}`, '', value)),
  );
  return [{ path, name, schema }, ...inside, ...others];
}

const all = Object.entries(schemas).flatMap(([name, schema]) => within(name, '', schema));
const fields = all.filter(({ name }) => name !== '');

/** The text of a schema, or else of the one that it refers to. */
function textOf(schema: JsonValue): string {
  const target = String(at(schema, '$ref') ?? '').replace('#/components/schemas/', '');
  return String(at(schema, 'description') ?? at(schemas[target], 'description') ?? '');
}

describe('the descriptions', () => {
  it('are there for every field, however deep', () => {
    expect(fields.length).toBeGreaterThan(300);
    const missing = fields.filter(({ schema }) => textOf(schema).length < 8);
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  it('are there for every parameter, header, tag and operation', () => {
    const { parameters, headers } = Object(document.components);
    const operations = Object.values(Object(document.paths)).flatMap((item) =>
      Object.values(Object(item)),
    );
    const described = [parameters, headers, document.tags].flatMap((part) =>
      Object.values<JsonValue>(Object(part)),
    );
    const missing = [...described, ...operations].filter(
      (part) => String(Object(part).description ?? '').length < 8,
    );
    expect(described.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it('need each text of the tables', () => {
    const used = fields.map(({ name, schema }) => `${name}: ${at(schema, 'description')}`);
    const idle = Object.entries(fieldTexts).filter(
      ([name, text]) => !used.some((line) => line.startsWith(`${name}: ${text}`)),
    );
    expect(idle).toEqual([]);
  });

  it('say that enumerations of responses may grow, and do not say it of requests', () => {
    const isOfResponse = (path: string) => (path.split(/[. ]/)[0] ?? '') in responses;
    const enums = all.filter(({ schema }) => at(schema, 'enum') !== undefined);
    for (const { path, schema } of enums) {
      expect([path, textOf(schema).endsWith(OPEN_ENUM)]).toEqual([path, isOfResponse(path)]);
    }
    expect(enums.length).toBeGreaterThan(15);
    expect(enums.some(({ path }) => !isOfResponse(path))).toBe(true);
    expect(Object.keys(componentsOf('request')).length).toBeGreaterThan(10);
    expect(at(document, 'info', 'description')).toMatch('ignore what you do not know');
    expect(isJsonObject(schemas.AuthMode)).toBe(true);
  });
});
