import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { timestampSchema } from '../shared/timestamps.ts';

/** What one person has allowed one client to do through one application. */
export const grantSchema = z
  .object({
    id: idSchema,
    applicationId: idSchema,
    applicationName: z.string().describe('The name of the application.'),
    clientId: z
      .string()
      .describe('The id of the application, of a dynamic client, or `console` for the console.'),
    clientName: z
      .string()
      .optional()
      .describe('Of a dynamic client, as it calls itself, or of the console.'),
    resources: z.array(z.string()).describe('The URLs at which its tokens work (RFC 8707).'),
    scopes: z.array(z.string()).describe('The scopes that the person has agreed to.'),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema
      .nullable()
      .describe('When one of its tokens was used last, to the minute; null if never.'),
    expiresAt: timestampSchema.describe('When it ends by itself.'),
  })
  .register(components, { id: 'Grant' });

export const listGrantsQuerySchema = pageQuerySchema;
export const grantPageSchema = pageSchema(grantSchema).register(components, { id: 'GrantPage' });

export type Grant = z.output<typeof grantSchema>;
