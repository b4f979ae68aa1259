import { installation } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { installationResponseSchema } from './installation.schema.ts';

export const installationContract = c.router(
  {
    get: {
      ...endpoint(routes.installation.get, { responseExample: { installation } }),
      summary: 'Get what this installation runs with',
      description:
        'Versions, store, nodes, keys, sign-in and limits, each with the setting that changes it. ' +
        'What belongs to one node is that of the node that answers.',
      responses: { 200: installationResponseSchema },
    },
  },
  routerOptions,
);
