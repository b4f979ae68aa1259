import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildOpenApiDocument, type JsonObject } from '../../src/index.ts';
import { breakingChanges } from './breaking-changes.ts';

const released: JsonObject = JSON.parse(
  readFileSync(new URL('fixtures/released.json', import.meta.url), 'utf8'),
);
const current = buildOpenApiDocument({ version: '0.0.0' });

/** What was broken on purpose since, each with its reason in docs/decisions/openapi-compatibility.md. */
const onPurpose = [
  'GET /applications/{id}/sessions responses 200: properties/items/items/properties/userId/anyOf/1 added',
  'DELETE /members/{id} responses 204: 204 removed',
];

it('the API still keeps what was released', () => {
  expect(breakingChanges(released, current)).toEqual(onPurpose);
});

/** A part of an OpenAPI document, to be changed. */
// biome-ignore lint/suspicious/noExplicitAny: the tests change documents in ways no type allows.
type Part = any;

const KEPT = ['/me', '/integrations', '/integrations/{id}'];

/** Few operations and answers, since every comparison resolves all of them. */
function sample(): Part {
  const document: Part = structuredClone(released);
  document.paths = Object.fromEntries(KEPT.map((path) => [path, document.paths[path]]));
  for (const { responses } of Object.values<Part>(document.paths).flatMap(Object.values)) {
    for (const status of Object.keys(responses)) {
      if (!['200', '201', '204', '404'].includes(status)) delete responses[status];
    }
  }
  return document;
}

const without = (list: string[], gone: string) => list.filter((word) => word !== gone);

const breaking: Record<string, [change: (document: Part) => void, line: string]> = {
  'a path goes': [
    ({ paths }) => delete paths['/integrations/{id}'],
    'DELETE /integrations/{id}: removed',
  ],
  'an operation goes': [({ paths }) => delete paths['/me'].get, 'GET /me: removed'],
  'an operation is named otherwise': [
    ({ paths }) => Object.assign(paths['/me'].get, { operationId: 'me.read' }),
    'GET /me operationId: replaced (me.get, me.read)',
  ],
  'a status goes': [
    ({ paths }) => delete paths['/integrations/{id}'].get.responses[404],
    'GET /integrations/{id} responses 404: 404 removed (#/components/responses/NotFound)',
  ],
  'a content type goes': [
    ({ paths }) => delete paths['/me'].get.responses[200].content['application/json'],
    'GET /me responses 200: 200/content/application/json removed',
  ],
  'a header of an answer goes': [
    ({ paths }) => delete paths['/integrations'].post.responses[201].headers.Location,
    'POST /integrations responses 201: 201/headers/Location removed (#/components/headers/Location)',
  ],
  'a field of an answer goes': [
    ({ components }) => delete components.schemas.Integration.properties.capabilities,
    'POST /integrations responses 201: properties/integration/properties/capabilities removed',
  ],
  'a field of an answer may be missing': [
    ({ components: { schemas } }) => {
      schemas.User.required = without(schemas.User.required, 'email');
    },
    'GET /me responses 200: properties/user/required/1 removed (email)',
  ],
  'a field of an answer has another type': [
    ({ components }) => {
      components.schemas.Integration.properties.serverTokenConfigured = { type: 'string' };
    },
    'POST /integrations responses 201: properties/integration/properties/serverTokenConfigured/type replaced (boolean, string)',
  ],
  'a field of an answer may be null': [
    ({ components: { schemas } }) => {
      schemas.User.properties.name = { anyOf: [schemas.User.properties.name, { type: 'null' }] };
    },
    'GET /me responses 200: properties/user/properties/name/anyOf/1 added',
  ],
  'a field of a body goes, since unknown ones are refused': [
    ({ components }) => delete components.schemas.CreateIntegrationBody.properties.capabilities,
    'POST /integrations requestBody: properties/capabilities removed',
  ],
  'a read-only field of a body goes': [
    ({ components }) => delete components.schemas.UpdateIntegrationBody.properties.createdAt,
    'PATCH /integrations/{id} requestBody: properties/createdAt removed',
  ],
  'a new field of a body is required': [
    ({ components: { schemas } }) => {
      schemas.CreateIntegrationBody.properties.team = { type: 'string' };
      schemas.CreateIntegrationBody.required.push('team');
    },
    'POST /integrations requestBody: required/2 added (team)',
  ],
  'an old field of a body becomes required': [
    ({ components }) => components.schemas.CreateIntegrationBody.required.push('category'),
    'POST /integrations requestBody: required/2 added (category)',
  ],
  'a field of a body has another type': [
    ({ components }) => {
      components.schemas.CreateIntegrationBody.properties.name = { type: 'number' };
    },
    'POST /integrations requestBody: properties/name/type replaced (string, number)',
  ],
  'a field of a body may no longer be null': [
    ({ components }) => components.schemas.UpdateIntegrationBody.properties.oauth.anyOf.pop(),
    'PATCH /integrations/{id} requestBody: properties/oauth/anyOf/1 removed',
  ],
  'a word of a body goes': [
    ({ components: { schemas } }) => {
      schemas.AuthMode.enum = without(schemas.AuthMode.enum, 'none');
    },
    'PATCH /integrations/{id} requestBody: properties/authMode/enum/3 removed (none)',
  ],
  'a default of a body is another': [
    ({ components: { schemas } }) => {
      schemas.CreateIntegrationBody.properties.category.default = 'internal_mcp_credentials';
    },
    'POST /integrations requestBody: properties/category/allOf/1/default replaced (gateway_remote_mcp, internal_mcp_credentials)',
  ],
  'a limit of a body is tightened': [
    ({ components }) => {
      components.schemas.UpdateIntegrationBody.properties.name.maxLength = 100;
    },
    'PATCH /integrations/{id} requestBody: properties/name/maxLength replaced (200, 100)',
  ],
  'an operation gets a body': [
    ({ paths }) => {
      paths['/me'].get.requestBody = paths['/integrations'].post.requestBody;
    },
    'GET /me requestBody: added',
  ],
  'a parameter goes': [
    ({ paths }) => paths['/integrations'].get.parameters.pop(),
    'GET /integrations parameters 3: 3 removed (#/components/parameters/includeArchived)',
  ],
  'a parameter has another type': [
    ({ components }) => {
      components.parameters.cursor.schema.type = 'integer';
    },
    'GET /integrations parameters 1: type replaced (string, integer)',
  ],
  'a new parameter is required': [
    ({ paths }) =>
      paths['/integrations'].get.parameters.push({
        ...{ name: 'team', in: 'query', required: true },
        schema: { type: 'string' },
      }),
    'GET /integrations parameters 4: 4 added (team)',
  ],
};

const harmless: Record<string, (document: Part) => void> = {
  'nothing changes': () => {},
  'texts and the version change': ({ info, paths }) => {
    info.version = '9.9.9';
    paths['/me'].get.description = 'Another.';
  },
  'a nullable field is described': ({ components: { schemas } }) => {
    schemas.Integration.properties.archivedAt.description = 'When it was archived.';
  },
  'a default of a body is said in words': ({ components: { schemas } }) => {
    const { category } = schemas.CreateIntegrationBody.properties;
    delete category.default;
    category.description = 'Default: `gateway_remote_mcp`.';
  },
  'an example comes': ({ paths }) => {
    const content = paths['/me'].get.responses[200].content['application/json'];
    content.examples = { one: { value: { type: 'text', required: ['a'] } } };
  },
  'a read-only field of a body gets a type': ({ components: { schemas } }) => {
    Object.assign(schemas.UpdateIntegrationBody.properties.createdAt, { type: 'string' });
  },
  'an operation comes': ({ paths }) => {
    paths['/you'] = { get: { ...paths['/me'].get, operationId: 'you.get' } };
  },
  'a status comes': ({ paths }) => {
    paths['/me'].get.responses[418] = { description: 'A teapot.' };
  },
  'a field of an answer comes': ({ components: { schemas } }) => {
    schemas.User.properties.locale = { type: 'string' };
    schemas.User.required.push('locale');
  },
  'a word of an answer comes': ({ components }) =>
    components.schemas.ValidationStatus.enum.push('stale'),
  'a field of a body comes': ({ components }) => {
    components.schemas.CreateIntegrationBody.properties.team = { type: 'string' };
  },
  'a word of a body comes': ({ components }) => components.schemas.AuthMode.enum.push('mutual_tls'),
  'a limit of a body is relaxed': ({ components }) => {
    components.schemas.CreateIntegrationBody.properties.name.maxLength = 400;
  },
  'a parameter comes': ({ paths }) =>
    paths['/integrations'].get.parameters.push({
      ...{ name: 'team', in: 'query' },
      schema: { type: 'string' },
    }),
  'a component has another name': (document) => {
    const text = JSON.stringify(document).replaceAll(/schemas\/User"/g, 'schemas/Person"');
    const { components } = JSON.parse(text);
    components.schemas.Person = components.schemas.User;
    delete components.schemas.User;
    Object.assign(document, JSON.parse(text), { components });
  },
};

describe('the comparison', () => {
  it.each(Object.entries(breaking))('says that %s', (_, [change, line]) => {
    const document = sample();
    change(document);
    expect(breakingChanges(sample(), document)).toContain(line);
  });

  it.each(Object.entries(harmless))('lets pass that %s', (_, change) => {
    const document = sample();
    change(document);
    expect(breakingChanges(sample(), document)).toEqual([]);
  });
});
