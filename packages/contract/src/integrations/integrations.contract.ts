import {
  integration,
  integrationOauthConfig,
  integrationPolicy,
  page,
} from '../examples/resources.ts';
import { discovered, validation } from '../examples/validations.ts';
import {
  integrationPolicyResponseSchema,
  putIntegrationPolicyBodySchema,
} from '../policies/policies.schema.ts';
import { routes } from '../routes.ts';
import { emptyBodySchema } from '../shared/bodies.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import { validateIntegrationResponseSchema } from '../shared/validation.ts';
import {
  discoverIntegrationBodySchema,
  discoverIntegrationResponseSchema,
} from './discovery.schema.ts';
import {
  createIntegrationBodySchema,
  integrationPageSchema,
  integrationResponseSchema,
  listIntegrationsQuerySchema,
  updateIntegrationBodySchema,
} from './integrations.schema.ts';
import {
  integrationOauthConfigResponseSchema,
  putIntegrationOauthBodySchema,
} from './oauth.schema.ts';

export const integrationsContract = c.router(
  {
    create: {
      ...endpoint(routes.integrations.create, {
        isVersioned: true,
        codes: ['egress_denied'],
        requestExample: {
          name: 'Issue tracker',
          url: 'https://tracker.example/mcp',
          authMode: 'server_token',
          serverToken: 'tracker-token',
        },
        responseExample: { integration },
      }),
      summary: 'Create an integration',
      body: createIntegrationBodySchema,
      responses: { 201: integrationResponseSchema },
    },
    list: {
      ...endpoint(routes.integrations.list, { responseExample: page(integration) }),
      summary: 'List the integrations of the organization',
      description: 'Newest first. Archived ones are left out unless `includeArchived` is true.',
      query: listIntegrationsQuerySchema,
      responses: { 200: integrationPageSchema },
    },
    discover: {
      ...endpoint(routes.integrations.discover, {
        codes: ['egress_denied'],
        requestExample: { url: 'https://tracker.example/mcp' },
        responseExample: discovered,
      }),
      summary: 'Look at a URL before it becomes an integration',
      description:
        'Reaches the endpoint without a credential, and tells what to create. Stores nothing. ' +
        'Every outcome is answered with 200.',
      body: discoverIntegrationBodySchema,
      responses: { 200: discoverIntegrationResponseSchema },
    },
    get: {
      ...endpoint(routes.integrations.get, { isVersioned: true, responseExample: { integration } }),
      summary: 'Get an integration',
      pathParams: idParamsSchema,
      responses: { 200: integrationResponseSchema },
    },
    update: {
      ...endpoint(routes.integrations.update, {
        isVersioned: true,
        codes: ['egress_denied', 'archived'],
        requestExample: { name: 'Issue tracker (EU)', validateEveryMinutes: 60 },
        responseExample: { integration },
      }),
      summary: 'Change an integration',
      description: 'Absent fields are unchanged; null clears an optional one.',
      pathParams: idParamsSchema,
      body: updateIntegrationBodySchema,
      responses: { 200: integrationResponseSchema },
    },
    archive: {
      ...endpoint(routes.integrations.archive, { isVersioned: true }),
      summary: 'Archive an integration',
      description: 'Existing data is preserved. Archiving again changes nothing.',
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
    restore: {
      ...endpoint(routes.integrations.restore, {
        isVersioned: true,
        responseExample: { integration },
      }),
      summary: 'Restore an archived integration',
      pathParams: idParamsSchema,
      body: emptyBodySchema,
      responses: { 200: integrationResponseSchema },
    },
    validate: {
      ...endpoint(routes.integrations.validate, {
        codes: ['archived'],
        responseExample: validation,
      }),
      summary: 'Validate an integration',
      description: 'Tests reachability and authentication. Every outcome is answered with 200.',
      pathParams: idParamsSchema,
      body: emptyBodySchema,
      responses: { 200: validateIntegrationResponseSchema },
    },
    getOauth: {
      ...endpoint(routes.integrations.getOauth, {
        isVersioned: true,
        codes: ['oauth_not_configured', 'auth_mode_mismatch'],
        responseExample: { oauth: integrationOauthConfig },
      }),
      summary: 'Get the OAuth configuration of an integration',
      pathParams: idParamsSchema,
      responses: { 200: integrationOauthConfigResponseSchema },
    },
    putOauth: {
      ...endpoint(routes.integrations.putOauth, {
        isVersioned: true,
        codes: ['archived'],
        requestExample: {
          provider: 'example',
          issuer: 'https://id.example',
          scopes: ['openid', 'offline_access'],
          clientId: 'gatehouse',
          clientSecret: 'client-secret',
        },
        responseExample: { oauth: integrationOauthConfig },
      }),
      summary: 'Replace the OAuth configuration of an integration',
      description:
        'What is absent is removed, `tokenParams` included. Without `clientSecret` the stored one ' +
        'is kept if `clientId` and `issuer` are unchanged; null removes it.',
      pathParams: idParamsSchema,
      body: putIntegrationOauthBodySchema,
      responses: { 200: integrationOauthConfigResponseSchema },
    },
    deleteOauth: {
      ...endpoint(routes.integrations.deleteOauth, { isVersioned: true }),
      summary: 'Remove the OAuth configuration of an integration',
      description: 'The authentication mode stays; tokens of users are wiped.',
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
    getPolicy: {
      ...endpoint(routes.integrations.getPolicy, {
        isVersioned: true,
        codes: ['policy_unreadable'],
        responseExample: { policy: integrationPolicy },
      }),
      summary: 'Get the policy of an integration',
      description: 'Its rules, which bind every application.',
      pathParams: idParamsSchema,
      responses: { 200: integrationPolicyResponseSchema },
    },
    putPolicy: {
      ...endpoint(routes.integrations.putPolicy, {
        isVersioned: true,
        codes: ['archived'],
        requestExample: integrationPolicy,
        responseExample: { policy: integrationPolicy },
      }),
      summary: 'Replace the policy of an integration',
      description:
        'All of it; null or `{}` clears it. `perApplication` has further rules for single ' +
        'applications, which their owners cannot change.',
      pathParams: idParamsSchema,
      body: putIntegrationPolicyBodySchema,
      responses: { 200: integrationPolicyResponseSchema },
    },
  },
  routerOptions,
);
