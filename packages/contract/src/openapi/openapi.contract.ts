import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { openApiResponseSchema } from './openapi.schema.ts';

export const openapiContract = c.router(
  {
    get: {
      ...endpoint(routes.openapi.get, {
        responseExample: {
          openapi: '3.1.0',
          info: { title: 'Gatehouse', version: '1.0.0' },
          paths: {},
        },
      }),
      summary: 'Get this document',
      responses: { 200: openApiResponseSchema },
    },
  },
  routerOptions,
);
