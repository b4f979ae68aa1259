import * as z from 'zod';
import { refusalTexts } from '../rules/refusal-texts.ts';
import { writeBodySchema } from '../shared/bodies.ts';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { scopesSchema } from '../shared/scopes.ts';
import { setSchema } from '../shared/unique.ts';
import { redirectUriSchema, resourceUriSchema } from '../shared/uris.ts';

/** Whether an OAuth client can keep a secret (RFC 6749 section 2.1). */
export const clientTypeSchema = z.enum(['public', 'confidential']).register(components, {
  id: 'ClientType',
  description: 'Whether an OAuth client can keep a secret (RFC 6749 section 2.1).',
});

/** The OAuth configuration of an application as a read returns it. */
export const applicationOauthSchema = z
  .object({
    type: clientTypeSchema,
    redirectUris: z.array(z.string()).describe('Where clients may have people sent back to.'),
    pkceRequired: z
      .boolean()
      .describe('Whether PKCE (RFC 7636) is required of a confidential client too.'),
    scopes: z.array(z.string()).describe('The scopes that clients may ask for.'),
    allowedResources: z
      .array(z.string())
      .describe('Further resources (RFC 8707) that tokens may be for.'),
    allowDynamicClients: z
      .boolean()
      .describe('Whether clients that are not registered here may ask people for access.'),
    clientId: idSchema.describe('The OAuth client id: the id of the application.'),
    clientSecretConfigured: z
      .boolean()
      .describe('Whether the client has a secret; false for a public client.'),
  })
  .register(components, {
    id: 'ApplicationOauth',
    description: 'The OAuth client of an application, without its secret.',
  });

/** The same with the secret, which only create and rotate-secret return. Public clients have no secret. */
export const applicationOauthWithSecretSchema = applicationOauthSchema
  .extend({
    clientSecret: z.string().optional().describe('Returned only once; absent for a public client.'),
  })
  .register(components, {
    id: 'ApplicationOauthWithSecret',
    description: 'The OAuth client of an application, with a secret that is new.',
  });

const redirectUrisSchema = setSchema(redirectUriSchema, limits.redirectUris);
const allowedResourcesSchema = setSchema(resourceUriSchema, limits.allowedResources);

/** The OAuth configuration of a new application. */
export const applicationOauthInputSchema = z
  .strictObject({
    type: clientTypeSchema,
    redirectUris: redirectUrisSchema,
    pkceRequired: z
      .boolean()
      .default(true)
      .describe('Whether PKCE (RFC 7636) is required of a confidential client too.'),
    scopes: scopesSchema.prefault(() => ['mcp']),
    allowedResources: allowedResourcesSchema.prefault(() => []),
    allowDynamicClients: z
      .boolean()
      .default(false)
      .describe('Whether clients that are not registered here may ask people for access.'),
  })
  .superRefine((oauth, context) => {
    if (oauth.type !== 'public' || oauth.redirectUris.length > 0) return;
    const message = refusalTexts.redirectUriRequired;
    context.addIssue({ code: 'custom', path: ['redirectUris'], message });
  })
  .register(components, {
    id: 'ApplicationOauthInput',
    description: 'The OAuth client of a new application.',
  });

/** Absent fields do not change and arrays are replaced. The merged result is checked later. */
export const updateApplicationOauthBodySchema = writeBodySchema(
  {
    type: clientTypeSchema.optional(),
    redirectUris: redirectUrisSchema.optional(),
    pkceRequired: z
      .boolean()
      .optional()
      .describe('Whether PKCE (RFC 7636) is required of a confidential client too.'),
    scopes: scopesSchema.optional(),
    allowedResources: allowedResourcesSchema.optional(),
    allowDynamicClients: z
      .boolean()
      .optional()
      .describe('Whether clients that are not registered here may ask people for access.'),
  },
  { fixed: ['clientId', 'clientSecretConfigured'], moving: [] },
).register(components, { id: 'UpdateApplicationOauthBody' });

export const applicationOauthResponseSchema = z
  .object({ oauth: applicationOauthSchema })
  .register(components, { id: 'ApplicationOauthResponse' });

export type ClientType = z.output<typeof clientTypeSchema>;
export type ApplicationOauth = z.output<typeof applicationOauthSchema>;
export type ApplicationOauthWithSecret = z.output<typeof applicationOauthWithSecretSchema>;
export type ApplicationOauthInput = z.input<typeof applicationOauthInputSchema>;
export type ParsedApplicationOauthInput = z.output<typeof applicationOauthInputSchema>;
export type UpdateApplicationOauthBody = z.output<typeof updateApplicationOauthBodySchema>;
