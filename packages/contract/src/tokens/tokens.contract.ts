import { page, token } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import {
  createTokenBodySchema,
  createTokenResponseSchema,
  listTokensQuerySchema,
  tokenPageSchema,
} from './tokens.schema.ts';

export const tokensContract = c.router(
  {
    create: {
      ...endpoint(routes.tokens.create, {
        codes: ['token_limit_reached', 'invitation_used', 'secret_no_longer_available'],
        requestExample: { name: 'CI', scopes: ['management:read'] },
        responseExample: { token, secret: 'gh_pat_EXAMPLE' },
      }),
      summary: 'Create a personal access token',
      description: 'The secret stands only in this answer.',
      body: createTokenBodySchema,
      responses: { 201: createTokenResponseSchema },
    },
    list: {
      ...endpoint(routes.tokens.list, { responseExample: page(token) }),
      summary: 'List the current user’s personal access tokens',
      query: listTokensQuerySchema,
      responses: { 200: tokenPageSchema },
    },
    revoke: {
      ...endpoint(routes.tokens.revoke),
      summary: 'Revoke a personal access token',
      description: 'One’s own; owners and admins may revoke any of the organization.',
      pathParams: idParamsSchema,
      responses: { 204: c.noBody() },
    },
  },
  routerOptions,
);
