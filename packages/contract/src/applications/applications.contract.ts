import {
  accessGraph,
  aggregateState,
  application,
  applicationOauth,
  applicationWithSecret,
  attachedIntegration,
  ids,
  page,
  policy,
  revoked,
  whatIf,
} from '../examples/resources.ts';
import { policyResponseSchema, putPolicyBodySchema } from '../policies/policies.schema.ts';
import { routes } from '../routes.ts';
import { emptyBodySchema } from '../shared/bodies.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import { revokeAccessResponseSchema } from '../shared/revoked-access.ts';
import { accessGraphQuerySchema, accessGraphSchema } from './access-graph.schema.ts';
import { aggregateStateSchema } from './aggregate.schema.ts';
import {
  applicationIntegrationsResponseSchema,
  applicationPageSchema,
  applicationResponseSchema,
  applicationWithSecretResponseSchema,
  attachedIntegrationResponseSchema,
  attachmentParamsSchema,
  createApplicationBodySchema,
  listApplicationsQuerySchema,
  setApplicationIntegrationsBodySchema,
  updateApplicationBodySchema,
  updateAttachedIntegrationBodySchema,
} from './applications.schema.ts';
import {
  applicationOauthResponseSchema,
  updateApplicationOauthBodySchema,
} from './oauth.schema.ts';
import { whatIfBodySchema, whatIfResponseSchema } from './what-if.schema.ts';

export const applicationsContract = c.router(
  {
    accessGraph: {
      ...endpoint(routes.applications.accessGraph, { responseExample: accessGraph }),
      summary: 'Get which applications may use which integrations',
      description:
        'A page of applications with all their integrations, at most 5,000 edges. `applicationId` and ' +
        '`integrationId` leave only their edges; an unknown id leaves nothing. ' +
        'With `includePolicy` each edge says whether it works: for the caller, ' +
        'for a member (`forUserId`), or for someone with a role or in a group.',
      query: accessGraphQuerySchema,
      responses: { 200: accessGraphSchema },
    },
    whatIf: {
      ...endpoint(routes.applications.whatIf, {
        hasLocation: false,
        requestExample: {
          changes: [
            {
              kind: 'integration_policy',
              integrationId: ids.integration,
              policy: { roles: ['admin'] },
            },
          ],
        },
        responseExample: whatIf,
      }),
      summary: 'Ask what changes would do',
      description:
        'Who would gain or lose what, and how many tools rules would allow. Nothing is changed. ' +
        'A change that its own operation would refuse is refused here too, with its place. ' +
        'An organization of more than 500 members can ask about changes of members alone.',
      body: whatIfBodySchema,
      responses: { 200: whatIfResponseSchema },
    },
    create: {
      ...endpoint(routes.applications.create, {
        isVersioned: true,
        codes: ['secret_no_longer_available'],
        requestExample: {
          name: 'Editor',
          oauth: {
            type: 'public',
            redirectUris: ['http://127.0.0.1/callback', 'editor://callback'],
          },
        },
        responseExample: applicationWithSecret,
      }),
      summary: 'Create an application',
      description: 'A confidential client’s secret stands only in this answer’s `oauth`.',
      body: createApplicationBodySchema,
      responses: { 201: applicationWithSecretResponseSchema },
    },
    list: {
      ...endpoint(routes.applications.list, { responseExample: page(application) }),
      summary: 'List applications',
      description:
        'The caller’s own, newest first; with `all`, which needs a privileged role, all. ' +
        'A page ends early where its applications have more than 1,000 integrations together.',
      query: listApplicationsQuerySchema,
      responses: { 200: applicationPageSchema },
    },
    get: {
      ...endpoint(routes.applications.get, { isVersioned: true, responseExample: { application } }),
      summary: 'Get an application',
      pathParams: idParamsSchema,
      responses: { 200: applicationResponseSchema },
    },
    update: {
      ...endpoint(routes.applications.update, {
        isVersioned: true,
        codes: ['archived'],
        requestExample: {
          name: 'Editor (beta)',
          limits: { perMinute: 600, concurrent: 20 },
          aggregate: { nameLength: 48 },
        },
        responseExample: { application },
      }),
      summary: 'Change the name, the limits or the one URL of an application',
      pathParams: idParamsSchema,
      body: updateApplicationBodySchema,
      responses: { 200: applicationResponseSchema },
    },
    archive: {
      ...endpoint(routes.applications.archive, { isVersioned: true }),
      summary: 'Archive an application',
      description:
        'All its active sessions are revoked; its tokens, grants and remembered consents are ' +
        'deleted. Archiving again changes nothing.',
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
    restore: {
      ...endpoint(routes.applications.restore, {
        isVersioned: true,
        responseExample: { application },
      }),
      summary: 'Restore an archived application',
      description: 'Its former sessions and tokens stay dead.',
      pathParams: idParamsSchema,
      body: emptyBodySchema,
      responses: { 200: applicationResponseSchema },
    },
    rotateSecret: {
      ...endpoint(routes.applications.rotateSecret, {
        isVersioned: true,
        codes: ['archived', 'public_client_has_no_secret', 'secret_no_longer_available'],
        responseExample: applicationWithSecret,
      }),
      summary: 'Rotate the client secret of an application',
      description: 'The former secret is invalid at once; the new one stands only in this answer.',
      pathParams: idParamsSchema,
      body: emptyBodySchema,
      responses: { 200: applicationWithSecretResponseSchema },
    },
    revokeAccess: {
      ...endpoint(routes.applications.revokeAccess, { responseExample: { revoked } }),
      summary: 'End all access through an application, without archiving it',
      description:
        'Its tokens, grants and remembered consents are deleted and its open sessions revoked. ' +
        'People and clients may ask again.',
      pathParams: idParamsSchema,
      body: emptyBodySchema,
      responses: { 200: revokeAccessResponseSchema },
    },
    getOauth: {
      ...endpoint(routes.applications.getOauth, {
        isVersioned: true,
        responseExample: { oauth: applicationOauth },
      }),
      summary: 'Get the OAuth configuration of an application',
      pathParams: idParamsSchema,
      responses: { 200: applicationOauthResponseSchema },
    },
    updateOauth: {
      ...endpoint(routes.applications.updateOauth, {
        isVersioned: true,
        codes: ['archived'],
        requestExample: { scopes: ['mcp'], allowDynamicClients: true },
        responseExample: { oauth: applicationOauth },
      }),
      summary: 'Change the OAuth configuration of an application',
      description:
        'Changing the type to public drops the secret. Taking away a redirect URI, scope or ' +
        'resource, or dynamic clients, ends the grants that rest on it.',
      pathParams: idParamsSchema,
      body: updateApplicationOauthBodySchema,
      responses: { 200: applicationOauthResponseSchema },
    },
    getAggregate: {
      ...endpoint(routes.applications.getAggregate, { responseExample: aggregateState }),
      summary: 'Get what the one URL of an application lists for the caller',
      description:
        'Also for members who may not see the application: whoever may use the URL. From the lists that this node ' +
        'has read last for the caller; no integration is called. 404 where the URL is off.',
      pathParams: idParamsSchema,
      responses: { 200: aggregateStateSchema },
    },
    listIntegrations: {
      ...endpoint(routes.applications.listIntegrations, {
        isVersioned: true,
        responseExample: { integrationIds: [ids.integration] },
      }),
      summary: 'List the ids of the attached integrations',
      pathParams: idParamsSchema,
      responses: { 200: applicationIntegrationsResponseSchema },
    },
    setIntegrations: {
      ...endpoint(routes.applications.setIntegrations, {
        isVersioned: true,
        codes: ['archived'],
        requestExample: {
          integrationIds: ['01936f6e-8c5f-7c1e-9d0a-3f6b5a2c4d10'],
        },
        responseExample: { integrationIds: [ids.integration] },
      }),
      summary: 'Replace the set of attached integrations',
      description: 'All or nothing. Attached integrations that are not listed are detached.',
      pathParams: idParamsSchema,
      body: setApplicationIntegrationsBodySchema,
      responses: { 200: applicationIntegrationsResponseSchema },
    },
    attachIntegration: {
      ...endpoint(routes.applications.attachIntegration, {
        isVersioned: true,
        codes: ['archived', 'attachment_limit_reached'],
      }),
      summary: 'Attach an integration',
      description:
        'Attaching an attached integration changes nothing. Only admins and owners attach a ' +
        'credential-only integration with a server token where the scopes hold `credentials`.',
      pathParams: attachmentParamsSchema,
      body: emptyBodySchema,
      responses: { 204: c.noBody() },
    },
    updateIntegration: {
      ...endpoint(routes.applications.updateIntegration, {
        isVersioned: true,
        codes: ['archived', 'alias_taken'],
        requestExample: { alias: 'issues' },
        responseExample: { integration: attachedIntegration },
      }),
      summary: 'Change the alias of an attached integration',
      description:
        'It is made from the name when the integration is attached, and stays when the integration is renamed.',
      pathParams: attachmentParamsSchema,
      body: updateAttachedIntegrationBodySchema,
      responses: { 200: attachedIntegrationResponseSchema },
    },
    detachIntegration: {
      ...endpoint(routes.applications.detachIntegration, {
        isVersioned: true,
        codes: ['archived'],
      }),
      summary: 'Detach an integration',
      description:
        'Its policy is deleted. Connections of users, and the policy of the integration, remain.',
      pathParams: attachmentParamsSchema,
      responses: { 204: c.noBody() },
    },
    getPolicy: {
      ...endpoint(routes.applications.getPolicy, {
        isVersioned: true,
        codes: ['policy_unreadable'],
        responseExample: { policy },
      }),
      summary: 'Get the policy of an attachment',
      description:
        'Its rules: who may use the integration through the application, what of it, and how often.',
      pathParams: attachmentParamsSchema,
      responses: { 200: policyResponseSchema },
    },
    putPolicy: {
      ...endpoint(routes.applications.putPolicy, {
        isVersioned: true,
        codes: ['archived'],
        requestExample: policy,
        responseExample: { policy },
      }),
      summary: 'Replace the policy of an attachment',
      description:
        'All of it; null or `{}` clears it. It can only narrow what the policy of the integration ' +
        'allows. Members may name only themselves and their own groups.',
      pathParams: attachmentParamsSchema,
      body: putPolicyBodySchema,
      responses: { 200: policyResponseSchema },
    },
  },
  routerOptions,
);
