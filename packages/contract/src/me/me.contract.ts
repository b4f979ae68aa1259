import { me } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { meResponseSchema } from './me.schema.ts';

export const meContract = c.router(
  {
    get: {
      ...endpoint(routes.me.get, { responseExample: me }),
      summary: 'Get the user and the organization a token names',
      responses: { 200: meResponseSchema },
    },
  },
  routerOptions,
);
