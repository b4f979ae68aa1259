import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument, type JsonValue, routes } from '../../src/index.ts';
import { at } from './at.ts';

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

const operation = (method: string, path: string) => at(document, 'paths', path, method);
const schema = (name: string) => at(document, 'components', 'schemas', name);

const contentOf = (body: JsonValue | undefined) =>
  at(body, 'content', 'application/json', 'schema');

function isReference(value: JsonValue | undefined): boolean {
  return at(value, '$ref') !== undefined;
}

/** The properties of a schema, or of the one that it refers to, or that may also be null. */
function propertiesOf(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  const name =
    String(at(value, '$ref') ?? '')
      .split('/')
      .at(-1) ?? '';
  const found = isReference(value) ? schema(name) : value;
  const choices = at(found, 'anyOf');
  return Array.isArray(choices) ? propertiesOf(choices[0]) : Object(at(found, 'properties'));
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

  it('gives read-only fields of bodies the type that they have in the response', () => {
    for (const [body, resource] of [
      ['UpdateIntegrationBody', 'Integration'],
      ['PutIntegrationOauthBody', 'IntegrationOauthConfig'],
      ['UpdateApplicationBody', 'Application'],
      ['UpdateApplicationOauthBody', 'ApplicationOauth'],
      ['UpdateMemberBody', 'Member'],
    ] as const) {
      const fields = Object.entries<JsonValue>(Object(at(schema(body), 'properties')));
      const readOnly = fields.filter(([, field]) => at(field, 'readOnly') === true);
      expect(readOnly).not.toEqual([]);
      for (const [name, field] of readOnly) {
        const shown = Object(at(schema(resource), 'properties', name));
        expect(field).toEqual({ ...shown, readOnly: true });
        expect(Object.keys(Object(field)).length).toBeGreaterThan(1);
      }
    }
    expect(at(schema('UpdateIntegrationBody'), 'properties', 'createdAt')).toEqual({
      type: 'string',
      format: 'date-time',
      description: 'When it was created.',
      readOnly: true,
    });
  });

  it('takes back in each PATCH and PUT every field that the response shows', () => {
    const missing = Object.entries(Object(document.paths)).flatMap(([path, item]) =>
      ['patch', 'put']
        .filter((method) => at(item as JsonValue, method, 'responses', '200') !== undefined)
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

  it('says for whom an application exists', () => {
    const text = (method: string, path: string) =>
      String(at(operation(method, path), 'description'));
    for (const [path, item] of Object.entries(Object(document.paths))) {
      for (const method of Object.keys(Object(item))) {
        const isOfOwner = path.startsWith('/applications/{id}') && !path.endsWith('/credential');
        expect([path, text(method, path).includes('no such application')]).toEqual([
          path,
          isOfOwner,
        ]);
      }
    }
    expect(text('get', '/applications/{id}')).not.toContain('For every member');
    expect(text('get', '/integrations')).toContain('For every member.');
  });

  it('says how the values of a credential schema are sent', () => {
    for (const name of ['Integration', 'CreateIntegrationBody', 'UpdateIntegrationBody']) {
      const text = at(schema(name), 'properties', 'credentialSchema', 'description');
      expect(text).toMatch(/`x-header`.*`x-prefix`/);
    }
  });
});
