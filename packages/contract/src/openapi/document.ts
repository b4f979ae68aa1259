import * as z from 'zod';
import type { Access, Route } from '../routes.ts';
import type { JsonObject } from '../shared/json.ts';
import { COMMON_HEADERS, headerReferences, headers } from './headers.ts';
import { type Operation, operations } from './operations.ts';
import { parameterReference, parameters, queryComponent } from './parameters.ts';
import {
  createProblemResponses,
  type ProblemResponses,
  problemExampleComponents,
} from './problems.ts';
import { withReadOnlyTypes } from './read-only.ts';
import { componentName, componentSchemas, schemaReference } from './schemas.ts';

const TAGS: Readonly<Record<string, string>> = {
  integrations: 'Remote tool endpoints and how requests to them authenticate.',
  tools: 'The definitions of an integration’s tools, and which of them are approved.',
  listings: 'The prompts and resources of an integration, as a validation listed them last.',
  connections: 'The current user’s credential for an integration, and who has one.',
  applications: 'OAuth clients and the integrations attached to them.',
  credentials: 'Credentials that are handed out to an application.',
  sessions:
    'Uses of an attached integration through an application, and leases of handed-out credentials.',
  me: 'The user behind a token.',
  organization: 'The organization of the user.',
  tokens: 'Personal access tokens.',
  members: 'The users of the organization.',
  groups: 'Teams, which policies may name instead of their members.',
  grants: 'What people have allowed clients to do.',
  overview: 'What is in use and what needs attention.',
  auditEvents: 'Who did what: changes and gateway calls.',
  usage: 'How often, by whom and how fast integrations are called.',
  installation: 'What the installation runs with.',
  openapi: 'This description.',
};

const AUDIENCES: Readonly<Record<Access, string>> = {
  public: 'Needs no token.',
  account: 'For every user, also with an invitation.',
  member: 'For every member.',
  admin: 'For admins and owners.',
  application: 'For the application of the path, never with a personal access token.',
};

/** A member sees no application of another person: policies of the server, which a route cannot express. */
function audienceOf({ path, access }: Route): string {
  if (access === 'application' || !path.startsWith('/applications/:id')) return AUDIENCES[access];
  return 'For the owner of the application, and for admins and owners of the organization; for every other member there is no such application (404).';
}

function operationParameters({ route, queryNames, takesIfMatch }: Operation): JsonObject[] {
  const pathNames = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  return [
    ...pathNames,
    ...queryNames.map((name) => queryComponent(route.path, name)),
    ...(route.idempotency === 'key' ? ['idempotencyKey'] : []),
    ...(takesIfMatch ? ['ifMatch'] : []),
  ].map(parameterReference);
}

function requestBody({ body, hasBody, requestExample: example }: Operation): JsonObject {
  if (!hasBody) return {};
  const schema = schemaReference(componentName(body));
  return {
    requestBody: {
      required: !z.safeParse(body as z.ZodType, undefined).success,
      content: { 'application/json': { schema, ...(example ? { example } : {}) } },
    },
  };
}

function successResponse(operation: Operation): JsonObject {
  const { status, response, responseExample: example, mediaType } = operation;
  const names = [
    ...COMMON_HEADERS,
    ...(operation.hasEtag ? ['ETag'] : []),
    ...(operation.hasLocation ? ['Location'] : []),
  ];
  const success = {
    description: status === 204 ? 'Done; there is no body.' : 'Success.',
    headers: headerReferences(names),
  };
  if (response === undefined) return success;
  const schema = schemaReference(componentName(response));
  return { ...success, content: { [mediaType]: { schema, ...(example ? { example } : {}) } } };
}

function operationObject(operation: Operation, problems: ProblemResponses): JsonObject {
  const { id, resource, route, summary, description, status } = operation;
  const listed = operationParameters(operation);
  return {
    operationId: id,
    tags: [resource],
    summary,
    description: [description, audienceOf(route)].filter(Boolean).join(' '),
    ...(listed.length > 0 ? { parameters: listed } : {}),
    ...requestBody(operation),
    responses: { [status]: successResponse(operation), ...problems.of(operation) },
    ...(route.access === 'public' ? { security: [] } : {}),
  };
}

function pathItems(problems: ProblemResponses): JsonObject {
  const items: Record<string, JsonObject> = {};
  for (const operation of operations()) {
    const path = operation.route.path.replaceAll(/:(\w+)/g, '{$1}');
    const method = operation.route.method.toLowerCase();
    items[path] = { ...items[path], [method]: operationObject(operation, problems) };
  }
  return items;
}

export interface OpenApiOptions {
  /** The version of the service, as `info.version`. */
  readonly version: string;
  /** The base URL, `/api/v1` included; relative to the document's origin when left out. */
  readonly serverUrl?: string | undefined;
}

type Parts = Readonly<Record<'paths' | 'components', JsonObject>>;

function buildParts(): Parts {
  const problems = createProblemResponses();
  const paths = pathItems(problems);
  const components = {
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'A personal access token. The operations for every user also take an invitation.',
      },
    },
    schemas: withReadOnlyTypes(componentSchemas()),
    parameters,
    headers,
    responses: problems.components,
    examples: problemExampleComponents(),
  };
  return { paths, components };
}

let parts: Parts | undefined;

/**
 * Builds the OpenAPI 3.1 document of the API from the contract. All documents share the parts that no option
 * changes, which take 50 ms to make.
 */
export function buildOpenApiDocument({ version, serverUrl }: OpenApiOptions): JsonObject {
  parts ??= buildParts();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version,
      summary: 'Integrations, applications and who may use which.',
      description:
        'Bodies are JSON. Unknown body fields are refused; unknown query parameters are ignored. ' +
        'Responses may gain fields, and their enumerations values: ignore what you do not know. ' +
        'Requests take only the values that are listed. ' +
        'Errors are problem documents (RFC 9457) with a stable `code`; the codes that an operation ' +
        'can return are listed by status. Fields marked as read-only may be sent back as they were ' +
        'read, and change nothing.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl ?? '/api/v1' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    ...parts,
  };
}
