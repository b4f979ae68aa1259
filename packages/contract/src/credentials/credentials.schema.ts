import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { timestampSchema } from '../shared/timestamps.ts';

/** The values of the fields of a credential schema. */
const fieldsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** A credential that leaves Gatehouse. */
export const handedOutCredentialSchema = z
  .object({
    headers: z
      .array(z.object({ name: z.string(), value: z.string().describe('What to send in it.') }))
      .describe('The headers that send it, by the integration’s `credentialSchema`.'),
    token: z.string().optional().describe('The token, where one was entered or obtained.'),
    fields: fieldsSchema.optional().describe('The fields, where fields were entered.'),
    expiresAt: timestampSchema
      .optional()
      .describe('When the upstream stops accepting it, if that is known.'),
  })
  .register(components, { id: 'HandedOutCredential' });

/** How long the holder may use a credential before asking again. */
export const credentialLeaseSchema = z
  .object({
    id: idSchema.describe('The id of the lease, under which it is among the sessions.'),
    expiresAt: timestampSchema.describe(
      'Until then the credential may be used: five minutes, or less if it expires sooner.',
    ),
  })
  .register(components, { id: 'CredentialLease' });

export const handOutResponseSchema = z
  .object({
    credential: handedOutCredentialSchema.describe('The credential, and how it is sent.'),
    lease: credentialLeaseSchema.describe('Until when it may be used.'),
  })
  .register(components, { id: 'HandOutResponse' });

export type HandedOutCredential = z.output<typeof handedOutCredentialSchema>;
export type CredentialLease = z.output<typeof credentialLeaseSchema>;
export type HandOutResponse = z.output<typeof handOutResponseSchema>;
