import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
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
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
  },
  routerOptions,
);
