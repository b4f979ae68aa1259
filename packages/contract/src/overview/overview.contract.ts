import { overview } from '../examples/overview.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { overviewResponseSchema } from './overview.schema.ts';

export const overviewContract = c.router(
  {
    get: {
      ...endpoint(routes.overview.get, { responseExample: { overview } }),
      summary: 'Get what is in use and what needs attention',
      description:
        'Owners and admins see the whole organization, members their own applications, and everyone their own connections and tokens.',
      responses: { 200: overviewResponseSchema },
    },
  },
  routerOptions,
);
