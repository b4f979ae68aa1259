import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument, isJsonObject, type JsonValue, routes } from '../../src/index.ts';
import { requestComponents, responseComponents } from '../../src/openapi/components.ts';
import { requestExamples, responseExamples } from '../../src/openapi/examples.ts';
import { operations } from '../../src/openapi/operations.ts';
import { componentName } from '../../src/openapi/schemas.ts';

const document = buildOpenApiDocument({ version: '1.2.3' });

async function lint(source: object) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({
    source: JSON.stringify(source),
    absoluteRef: '/openapi.json',
    config,
  });
  return problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
}

function at(value: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (found, key) => (isJsonObject(found) ? found[key] : undefined),
    value,
  );
}

const operation = (method: string, path: string) => at(document, 'paths', path, method);
const schema = (name: string) => at(document, 'components', 'schemas', name);

const contentOf = (body: JsonValue | undefined) =>
  at(body, 'content', 'application/json', 'schema');

function isReference(value: JsonValue | undefined): boolean {
  return at(value, '$ref') !== undefined;
}

/** The properties of a schema, or of the one that it refers to. */
function propertiesOf(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  const name =
    String(at(value, '$ref') ?? '')
      .split('/')
      .at(-1) ?? '';
  return Object(at(isReference(value) ? schema(name) : value, 'properties'));
}

describe('the OpenAPI document', () => {
  it('passes the recommended rules without an error or a warning', async () => {
    expect(await lint(document)).toEqual([]);
    expect(await lint({ ...document, servers: [] })).not.toEqual([]);
  });

  it('lists every operation of the route table once, by resource and name', () => {
    const expected = Object.entries(routes).flatMap(([resource, table]) =>
      Object.keys(table).map((name) => `${resource}.${name}`),
    );
    const items = Object.values(Object(document.paths)).flatMap((item) =>
      Object.values(Object(item)),
    );
    const listed = items.map((item) => Object(item).operationId);
    expect(listed.sort()).toEqual(expected.sort());
  });

  it('has the version and the base URL it was given', () => {
    const built = buildOpenApiDocument({ version: '2.0.0', serverUrl: 'https://a.example/api/v1' });
    expect(built).toMatchObject({
      openapi: '3.1.0',
      info: { version: '2.0.0' },
      servers: [{ url: 'https://a.example/api/v1' }],
    });
    expect(at(document, 'servers')).toEqual([{ url: '/api/v1' }]);
  });

  it('leaves responses open to new fields and keeps requests closed', () => {
    expect(at(schema('Integration'), 'additionalProperties')).toBeUndefined();
    expect(at(schema('CreateIntegrationBody'), 'additionalProperties')).toBe(false);
  });

  it('marks the fields that a write takes and does not set as read-only', () => {
    for (const name of ['createdAt', 'updatedAt']) {
      expect(at(schema('UpdateIntegrationBody'), 'properties', name)).toEqual({ readOnly: true });
    }
  });

  it('takes back in each PATCH and PUT every field that the response shows', () => {
    const missing = Object.entries(Object(document.paths)).flatMap(([path, item]) =>
      ['patch', 'put']
        .filter((method) => at(item as JsonValue, method) !== undefined)
        .flatMap((method) => {
          const described = operation(method, path);
          const taken = propertiesOf(contentOf(at(described, 'requestBody')));
          const response = propertiesOf(contentOf(at(described, 'responses', '200')));
          const [resource = null] = Object.values(response);
          const shown = isReference(resource) ? propertiesOf(resource) : response;
          expect(Object.keys(shown)).not.toEqual([]);
          return Object.keys(shown)
            .filter((name) => !(name in taken))
            .map((name) => `${method} ${path} ${name}`);
        }),
    );
    expect(missing).toEqual([]);
  });

  it('refers to shared schemas instead of repeating them', () => {
    expect(at(schema('Application'), 'properties', 'integrations', 'items')).toEqual({
      $ref: '#/components/schemas/AttachedIntegration',
    });
    expect(JSON.stringify(document)).not.toMatch(/\$defs|"\$schema"|"\$id"/);
  });

  it('describes no secret in a read', () => {
    const secrets = ['serverToken', 'clientSecret', 'tokenParams', 'secret'];
    for (const name of [
      'Integration',
      'IntegrationOauthConfig',
      'Application',
      'ApplicationOauth',
      'Token',
    ]) {
      const fields = Object.keys(Object(at(schema(name), 'properties')));
      expect(fields.length).toBeGreaterThan(2);
      expect(fields.filter((field) => secrets.includes(field))).toEqual([]);
    }
  });

  it('needs a bearer token everywhere but for itself', () => {
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(at(operation('get', '/openapi.json'), 'security')).toEqual([]);
    expect(at(operation('get', '/me'), 'security')).toBeUndefined();
  });

  it('documents the headers of conditional, repeatable and creating requests', () => {
    const create = operation('post', '/integrations');
    expect(at(create, 'parameters')).toEqual([{ $ref: '#/components/parameters/idempotencyKey' }]);
    expect(Object.keys(Object(at(create, 'responses', '201', 'headers')))).toEqual([
      'X-Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      'ETag',
      'Location',
    ]);
    const archive = operation('delete', '/applications/{id}');
    expect(at(archive, 'parameters')).toContainEqual({ $ref: '#/components/parameters/ifMatch' });
    expect(at(archive, 'responses', '412')).toBeDefined();
  });
});

describe('the problems of an operation', () => {
  const always = ['401', '403', '429', '500', '503'];
  const problemsOf = (method: string, path: string) =>
    Object.keys(Object(at(operation(method, path), 'responses'))).filter((code) => code >= '400');

  it.each([
    ['get', '/me', ['400']],
    ['get', '/integrations', ['400']],
    ['post', '/integrations', ['400', '409', '413', '415', '422']],
    ['get', '/integrations/{id}', ['400', '404']],
    ['patch', '/integrations/{id}', ['400', '404', '409', '412', '413', '415', '422']],
    ['delete', '/integrations/{id}', ['400', '404', '412', '413', '415']],
    ['post', '/integrations/{id}/restore', ['400', '404', '409', '413', '415', '422']],
    ['delete', '/members/{id}', ['400', '404', '409', '413', '415']],
    ['delete', '/tokens/{id}', ['400', '404', '413', '415']],
    ['get', '/integrations/{id}/oauth', ['400', '404', '409']],
    ['post', '/integrations/{id}/connection', ['400', '404', '409', '413', '415', '422']],
    ['post', '/integrations/{id}/connection/authorize', ['400', '404', '409', '413', '415', '422']],
    ['post', '/integrations/{id}/connection/test', ['400', '404', '409', '413', '415']],
    ['post', '/integrations/discover', ['400', '413', '415']],
    ['put', '/applications/{id}/integrations', ['400', '404', '409', '412', '413', '415']],
  ])('%s %s are all listed, and no other', (method, path, more) => {
    expect(problemsOf(method, path).sort()).toEqual([...always, ...more].sort());
  });

  it('are those of its headers alone where no token is asked for', () => {
    expect(problemsOf('get', '/openapi.json')).toEqual(['400', '403', '500']);
  });
});

describe('the examples', () => {
  const byId = new Map(operations().map((found) => [found.id, found]));

  it.each(Object.entries(requestExamples))('of the request %s is accepted', (id, example) => {
    const name = componentName(requestComponents, byId.get(id)?.body);
    expect(requestComponents[name]?.safeParse(example).error).toBeUndefined();
  });

  it.each(Object.entries(responseExamples))('of the answer to %s is complete', (id, example) => {
    const name = componentName(responseComponents, byId.get(id)?.response);
    expect(responseComponents[name]?.parse(example)).toEqual(example);
  });
});
