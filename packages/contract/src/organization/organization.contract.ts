import { me } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { organizationResponseSchema, updateOrganizationBodySchema } from './organization.schema.ts';

export const organizationContract = c.router(
  {
    update: {
      ...endpoint(routes.organization.update, {
        requestExample: { name: me.organization.name },
        responseExample: { organization: me.organization },
      }),
      summary: 'Name the organization',
      description: '`GET /me` shows the name to every member.',
      body: updateOrganizationBodySchema,
      responses: { 200: organizationResponseSchema },
    },
  },
  routerOptions,
);
