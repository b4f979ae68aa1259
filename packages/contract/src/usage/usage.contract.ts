import { usage } from '../examples/usage.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { usageQuerySchema, usageResponseSchema } from './usage.schema.ts';

export const usageContract = c.router(
  {
    get: {
      ...endpoint(routes.usage.get, { responseExample: usage }),
      summary: 'Get how often integrations were called',
      description:
        'Admins and owners see all calls; the owner of applications those through them, if the query names only them; everyone else their own calls, of which minutes are not kept. Calls are counted when they end, and are here a second or two later. Counted are calls with a token of the organization, to an application and integration of it. By outcome, bytes, percentiles and the last error are not kept, and are 0 and null. By tool, calls of no tool are left out.',
      query: usageQuerySchema,
      responses: { 200: usageResponseSchema },
    },
  },
  routerOptions,
);
