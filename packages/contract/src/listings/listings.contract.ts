import { listedPrompt, listedResource, page } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import { pageQuerySchema } from '../shared/pagination.ts';
import { listedPromptPageSchema, listedResourcePageSchema } from './listings.schema.ts';

export const listingsContract = c.router(
  {
    prompts: {
      ...endpoint(routes.listings.prompts, { responseExample: page(listedPrompt) }),
      summary: 'List the prompts of an integration',
      description: 'By name, as a validation listed them last: at most 1,000.',
      pathParams: idParamsSchema,
      query: pageQuerySchema,
      responses: { 200: listedPromptPageSchema },
    },
    resources: {
      ...endpoint(routes.listings.resources, { responseExample: page(listedResource) }),
      summary: 'List the resources of an integration',
      description:
        'Resources by their URIs and then templates, as a validation listed them last: at most 1,000 of each.',
      pathParams: idParamsSchema,
      query: pageQuerySchema,
      responses: { 200: listedResourcePageSchema },
    },
  },
  routerOptions,
);
