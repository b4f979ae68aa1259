import { connected, memberConnection, page } from '../examples/resources.ts';
import { validation } from '../examples/validations.ts';
import { routes } from '../routes.ts';
import { emptyBodySchema } from '../shared/bodies.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import { validateIntegrationResponseSchema } from '../shared/validation.ts';
import {
  authorizeConnectionBodySchema,
  authorizeConnectionResponseSchema,
} from './authorize.schema.ts';
import { connectionResponseSchema, setConnectionBodySchema } from './connections.schema.ts';
import { listConnectionsQuerySchema, memberConnectionPageSchema } from './list.schema.ts';

export const connectionsContract = c.router(
  {
    set: {
      ...endpoint(routes.connections.set, {
        codes: ['archived', 'auth_mode_mismatch'],
        requestExample: { token: 'personal-access-token' },
        responseExample: connected,
      }),
      summary: 'Store the current user’s credential for an integration',
      description: 'For `user_token` only. Replaces a credential stored before.',
      pathParams: idParamsSchema,
      body: setConnectionBodySchema,
      responses: { 200: connectionResponseSchema },
    },
    get: {
      ...endpoint(routes.connections.get, { responseExample: connected }),
      summary: 'Get the current user’s connection to an integration',
      pathParams: idParamsSchema,
      responses: { 200: connectionResponseSchema },
    },
    delete: {
      ...endpoint(routes.connections.delete),
      summary: 'Remove the current user’s credential for an integration',
      description:
        'An OAuth grant is then revoked at the provider too, if the provider can do that.',
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
    authorize: {
      ...endpoint(routes.connections.authorize, {
        codes: ['oauth_not_configured', 'archived', 'auth_mode_mismatch'],
        requestExample: { returnTo: 'https://app.example/settings#connections' },
        responseExample: {
          authorizationUrl:
            'https://gatehouse.example/connect/Zk3pVt0y5wYQm1jH8sXrB2cLdE6nFuGaT9oKiRz7W4A',
          expiresAt: '2026-11-21T09:40:00.000Z',
        },
      }),
      summary: 'Make a link by which the current user connects by OAuth',
      description:
        'For `oauth` only. The user opens the link in a browser, signs in there and agrees at the ' +
        'provider. Read the connection to learn what became of it.',
      pathParams: idParamsSchema,
      body: authorizeConnectionBodySchema,
      responses: { 201: authorizeConnectionResponseSchema },
    },
    test: {
      ...endpoint(routes.connections.test, {
        codes: ['archived', 'auth_mode_mismatch'],
        responseExample: validation,
      }),
      summary: 'Test the current user’s connection to an integration',
      description:
        'For `user_token` and `oauth`. Tries the user’s credential as validate does, but the ' +
        'validation of the integration stays as it is. Every outcome is answered with 200.',
      pathParams: idParamsSchema,
      body: emptyBodySchema,
      responses: { 200: validateIntegrationResponseSchema },
    },
    list: {
      ...endpoint(routes.connections.list, { responseExample: page(memberConnection) }),
      summary: 'List who has connected an integration',
      description:
        'By member, the newest member first. The credential is never shown, nor the account at the provider.',
      pathParams: idParamsSchema,
      query: listConnectionsQuerySchema,
      responses: { 200: memberConnectionPageSchema },
    },
  },
  routerOptions,
);
