import { components } from '../shared/components.ts';
import { jsonObjectSchema } from '../shared/json.ts';

/** An OpenAPI 3.1 document. */
export const openApiResponseSchema = jsonObjectSchema
  .meta({
    type: 'object',
    additionalProperties: true,
    description: 'An OpenAPI 3.1 document.',
  })
  .register(components, { id: 'OpenApiDocument' });
