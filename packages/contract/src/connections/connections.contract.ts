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

export const connectionsContract = c.router(
  {
    set: {
      ...endpoint(routes.connections.set),
      summary: 'Store the current user’s credential for an integration',
      description: 'For `user_token` only. Replaces a credential stored before.',
      pathParams: idParamsSchema,
      body: setConnectionBodySchema,
      responses: { 200: connectionResponseSchema },
    },
    get: {
      ...endpoint(routes.connections.get),
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
      ...endpoint(routes.connections.authorize),
      summary: 'Make a link by which the current user connects by OAuth',
      description:
        'For `oauth` only. The user opens the link in a browser, signs in there and agrees at the ' +
        'provider. Read the connection to learn what became of it.',
      pathParams: idParamsSchema,
      body: authorizeConnectionBodySchema,
      responses: { 201: authorizeConnectionResponseSchema },
    },
    test: {
      ...endpoint(routes.connections.test),
      summary: 'Test the current user’s connection to an integration',
      description:
        'For `user_token` and `oauth`. Tries the user’s credential as validate does, but the ' +
        'validation of the integration stays as it is. Every outcome is answered with 200.',
      pathParams: idParamsSchema,
      body: emptyBodySchema,
      responses: { 200: validateIntegrationResponseSchema },
    },
  },
  routerOptions,
);
