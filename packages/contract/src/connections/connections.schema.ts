import * as z from 'zod';
import { components } from '../shared/components.ts';
import { credentialValueSchema } from '../shared/headers.ts';
import { INEXACT, isExact } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';
import { recordSchema } from '../shared/records.ts';
import { atMost, hasAtMost, isStorable } from '../shared/text.ts';
import { timestampSchema } from '../shared/timestamps.ts';

export const connectionStatusSchema = z.enum(['connected', 'disconnected']);

/**
 * Why a connection needs attention: the user has to connect again (`needs_reauth`), or the upstream
 * rejected it or it expired (the status stays `connected`). With `needs_reauth` the status is
 * `disconnected` if the connection was made for another destination, and `connected` if the provider
 * no longer renews an OAuth grant.
 */
export const connectionReasonSchema = z
  .enum(['needs_reauth', 'rejected_upstream', 'expired'])
  .describe(
    '`needs_reauth`: made for another destination (disconnected), or the provider no longer renews the grant (connected); `rejected_upstream`: the upstream refused it; `expired`.',
  );

/** What became of an OAuth grant at its provider once the user had disconnected. */
export const revocationStatusSchema = z
  .enum(['pending', 'revoked', 'failed', 'not_supported'])
  .describe(
    '`pending`: tried for about an hour; `failed`: given up, so the user may want to end it at the provider; `not_supported`: the provider has no way to revoke.',
  );

export const revocationSchema = z
  .object({
    status: revocationStatusSchema,
    at: timestampSchema.describe('When the status was reached.'),
  })
  .register(components, { id: 'Revocation' });

/** The current user's credential for one integration. */
export const connectionSchema = z
  .object({
    connected: z.boolean().describe('Whether a credential for the present destination is stored.'),
    status: connectionStatusSchema.describe('`connected` where `connected` is true.'),
    reason: connectionReasonSchema.optional(),
    expiresAt: timestampSchema
      .optional()
      .describe('When the stored credential expires, as far as that is known.'),
    displayName: z
      .string()
      .max(limits.displayName)
      .optional()
      .describe('The display name from the provider.'),
    revocation: revocationSchema
      .optional()
      .describe(
        'What became of the OAuth grant that was disconnected last. Shown for a while, until the user connects again.',
      ),
  })
  .register(components, {
    id: 'Connection',
    description: 'The caller’s credential for one integration.',
  });

const fieldValueSchema = z.union([
  atMost(z.string(), limits.credential).refine(
    isStorable,
    'Must not contain NUL or unpaired surrogates.',
  ),
  z.number().refine(isExact, INEXACT),
  z.boolean(),
]);

/** Not as limits of the text, which the released document does not have: see openapi-compatibility.md. */
const fieldNameSchema = z
  .string()
  .refine(
    (name) => name !== '' && isStorable(name) && hasAtMost(name, limits.name),
    `Must have 1 to ${limits.name} characters, without NUL or unpaired surrogates.`,
  );

const fieldsSchema = recordSchema(fieldNameSchema, fieldValueSchema)
  .meta({ maxProperties: limits.jsonProperties })
  .describe(
    `The values that the credential schema asks for. Each name has 1 to ${limits.name} characters.`,
  );

/** Exactly one of `token` and `fields`. `fields` is checked against the credential schema later. */
export const setConnectionBodySchema = z
  .strictObject({
    token: credentialValueSchema
      .optional()
      .describe('The credential, where one value is enough. Instead of `fields`.'),
    fields: fieldsSchema.optional(),
  })
  .superRefine((body, context) => {
    if ((body.token === undefined) !== (body.fields === undefined)) return;
    const path = [body.token === undefined ? 'token' : 'fields'];
    context.addIssue({ code: 'custom', path, message: 'Give exactly one of token and fields.' });
  })
  .meta({ minProperties: 1, maxProperties: 1 })
  .register(components, { id: 'SetConnectionBody' });

export const connectionResponseSchema = z
  .object({ connection: connectionSchema })
  .register(components, { id: 'ConnectionResponse' });

export type Connection = z.output<typeof connectionSchema>;
export type ConnectionStatus = z.output<typeof connectionStatusSchema>;
export type Revocation = z.output<typeof revocationSchema>;
export type RevocationStatus = z.output<typeof revocationStatusSchema>;
export type ConnectionReason = z.output<typeof connectionReasonSchema>;
export type SetConnectionBody = z.output<typeof setConnectionBodySchema>;
