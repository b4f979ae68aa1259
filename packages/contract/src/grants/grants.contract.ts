import { grant, page } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import { grantPageSchema, listGrantsQuerySchema } from './grants.schema.ts';

export const grantsContract = c.router(
  {
    list: {
      ...endpoint(routes.grants.list, { responseExample: page(grant) }),
      summary: 'List what the current user has allowed clients to do',
      description: 'Newest first.',
      query: listGrantsQuerySchema,
      responses: { 200: grantPageSchema },
    },
    end: {
      ...endpoint(routes.grants.end),
      summary: 'End a grant',
      description:
        'Its tokens stop working, and the client has to ask again. ' +
        'One’s own; owners and admins may end any of the organization.',
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
  },
  routerOptions,
);
