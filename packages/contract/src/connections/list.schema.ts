import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { timestampSchema } from '../shared/timestamps.ts';
import { connectionSchema, connectionStatusSchema } from './connections.schema.ts';

/** Someone's connection as an admin sees it: neither the credential nor the account at the provider. */
const memberConnectionSchema = connectionSchema
  .pick({ connected: true, status: true, reason: true, expiresAt: true })
  .extend({
    userId: idSchema,
    userName: z.string(),
    userEmail: z.string(),
    mode: z.enum(['user_token', 'oauth']).describe('How the stored credential was obtained.'),
    createdAt: timestampSchema.describe('When the stored credential was entered or granted.'),
    refreshedAt: timestampSchema
      .nullable()
      .describe('When OAuth tokens were last renewed; null where they are not renewed.'),
  })
  .register(components, {
    id: 'MemberConnection',
    description: 'A member’s credential for one integration, without its value.',
  });

export const listConnectionsQuerySchema = pageQuerySchema.extend({
  status: connectionStatusSchema.optional(),
  userId: idParamSchema.optional(),
});
export const memberConnectionPageSchema = pageSchema(memberConnectionSchema).register(components, {
  id: 'MemberConnectionPage',
});

export type MemberConnection = z.output<typeof memberConnectionSchema>;
export type ListConnectionsQuery = z.output<typeof listConnectionsQuerySchema>;
