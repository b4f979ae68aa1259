import * as z from 'zod';
import { organizationSchema } from '../me/me.schema.ts';
import { writeBodySchema } from '../shared/bodies.ts';
import { components } from '../shared/components.ts';
import { nameSchema } from '../shared/text.ts';

/** Absent fields do not change. */
export const updateOrganizationBodySchema = writeBodySchema(
  {
    name: nameSchema
      .optional()
      .describe('What people read when a client asks for their consent, for instance.'),
  },
  { fixed: ['id'], moving: [] },
).register(components, { id: 'UpdateOrganizationBody' });

export const organizationResponseSchema = z
  .object({ organization: organizationSchema })
  .register(components, { id: 'OrganizationResponse' });

export type UpdateOrganizationBody = z.output<typeof updateOrganizationBodySchema>;
export type OrganizationResponse = z.output<typeof organizationResponseSchema>;
