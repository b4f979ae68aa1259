import * as z from 'zod';
import { memberRoleSchema } from '../members/members.schema.ts';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { timestampSchema } from '../shared/timestamps.ts';

/** The user a token names. */
export const userSchema = z
  .object({
    id: idSchema,
    email: z.string(),
    name: z.string(),
    role: memberRoleSchema,
  })
  .register(components, { id: 'User', description: 'The person behind the token.' });

export const organizationSchema = z
  .object({ id: idSchema, name: z.string() })
  .register(components, { id: 'Organization', description: 'The organization of the user.' });

/** What a request was authenticated with. */
export const authenticationMethodSchema = z.enum([
  'personal_token',
  'invitation',
  'oauth',
  'console',
]);

/** How the request was authenticated. */
export const authenticationSchema = z
  .object({
    method: authenticationMethodSchema.describe('The kind of token.'),
    tokenId: idSchema.optional().describe('Absent for `oauth`.'),
    scopes: z.array(z.string()).describe('Absent for an invitation.'),
    expiresAt: timestampSchema.optional().describe('Absent when it does not expire.'),
    applicationId: idSchema.optional().describe('Of `oauth`.'),
  })
  .register(components, {
    id: 'Authentication',
    description: 'How the request was authenticated.',
  });

export const meResponseSchema = z
  .object({
    user: userSchema,
    organization: organizationSchema,
    authentication: authenticationSchema,
  })
  .register(components, { id: 'Me' });

export type User = z.output<typeof userSchema>;
export type Organization = z.output<typeof organizationSchema>;
export type AuthenticationMethod = z.output<typeof authenticationMethodSchema>;
export type Authentication = z.output<typeof authenticationSchema>;
export type Me = z.output<typeof meResponseSchema>;
