import * as z from 'zod';
import { components } from '../shared/components.ts';
import { timestampSchema } from '../shared/timestamps.ts';
import { returnUrlSchema } from '../shared/uris.ts';

/** `returnTo`: where the browser goes in the end; a page of the service without it. */
export const authorizeConnectionBodySchema = z
  .strictObject({
    returnTo: returnUrlSchema
      .optional()
      .describe('Where the browser goes in the end. Its origin must be an allowed one.'),
  })
  .optional()
  .register(components, { id: 'AuthorizeConnectionBody' });

/** The link is delivered only here. */
export const authorizeConnectionResponseSchema = z
  .object({
    authorizationUrl: z.string().describe('For this user alone; works once.'),
    expiresAt: timestampSchema.describe('Ten minutes later.'),
  })
  .register(components, { id: 'AuthorizeConnectionResponse' });

export type AuthorizeConnectionBody = z.output<typeof authorizeConnectionBodySchema>;
export type AuthorizeConnectionResponse = z.output<typeof authorizeConnectionResponseSchema>;
