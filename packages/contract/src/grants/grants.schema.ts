import * as z from 'zod';
import { idSchema } from '../shared/ids.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { timestampSchema } from '../shared/timestamps.ts';

/** What one person has allowed one client to do through one application. */
export const grantSchema = z.object({
  id: idSchema,
  applicationId: idSchema,
  applicationName: z.string(),
  clientId: z.string().describe('The id of the application, or of a dynamic client.'),
  clientName: z.string().optional().describe('Of a dynamic client, as it calls itself.'),
  resources: z.array(z.string()),
  scopes: z.array(z.string()),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
  expiresAt: timestampSchema,
});

export const listGrantsQuerySchema = pageQuerySchema;
export const grantPageSchema = pageSchema(grantSchema);

export type Grant = z.output<typeof grantSchema>;
