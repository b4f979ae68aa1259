import * as z from 'zod';
import { writeBodySchema } from '../shared/bodies.ts';
import { idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { scopesSchema } from '../shared/scopes.ts';
import { setSchema } from '../shared/unique.ts';
import { redirectUriSchema, resourceUriSchema } from '../shared/uris.ts';

/** Whether an OAuth client can keep a secret (RFC 6749 section 2.1). */
export const clientTypeSchema = z.enum(['public', 'confidential']);

/** The OAuth configuration of an application as a read returns it. */
export const applicationOauthSchema = z.object({
  type: clientTypeSchema,
  redirectUris: z.array(z.string()),
  pkceRequired: z.boolean(),
  scopes: z.array(z.string()),
  allowedResources: z.array(z.string()),
  allowDynamicClients: z
    .boolean()
    .describe('Whether clients that are not registered here may ask people for access.'),
  clientId: idSchema,
  clientSecretConfigured: z.boolean(),
});

/** The same with the secret, which only create and rotate-secret return. Public clients have none. */
export const applicationOauthWithSecretSchema = applicationOauthSchema.extend({
  clientSecret: z.string().optional().describe('Returned only once; absent for a public client.'),
});

const redirectUrisSchema = setSchema(redirectUriSchema, limits.redirectUris);
const allowedResourcesSchema = setSchema(resourceUriSchema, limits.allowedResources);

/** The OAuth configuration of a new application. */
export const applicationOauthInputSchema = z
  .strictObject({
    type: clientTypeSchema,
    redirectUris: redirectUrisSchema,
    pkceRequired: z.boolean().default(true),
    scopes: scopesSchema.prefault(() => ['mcp']),
    allowedResources: allowedResourcesSchema.prefault(() => []),
    allowDynamicClients: z.boolean().default(false),
  })
  .superRefine((oauth, context) => {
    if (oauth.type !== 'public' || oauth.redirectUris.length > 0) return;
    const message = 'A public client needs at least one redirect URI.';
    context.addIssue({ code: 'custom', path: ['redirectUris'], message });
  });

/** Absent fields do not change and arrays are replaced. The merged result is checked later. */
export const updateApplicationOauthBodySchema = writeBodySchema(
  {
    type: clientTypeSchema.optional(),
    redirectUris: redirectUrisSchema.optional(),
    pkceRequired: z.boolean().optional(),
    scopes: scopesSchema.optional(),
    allowedResources: allowedResourcesSchema.optional(),
    allowDynamicClients: z.boolean().optional(),
  },
  { fixed: ['clientId', 'clientSecretConfigured'], moving: [] },
);

export const applicationOauthResponseSchema = z.object({ oauth: applicationOauthSchema });

export type ClientType = z.output<typeof clientTypeSchema>;
export type ApplicationOauth = z.output<typeof applicationOauthSchema>;
export type ApplicationOauthWithSecret = z.output<typeof applicationOauthWithSecretSchema>;
export type ApplicationOauthInput = z.input<typeof applicationOauthInputSchema>;
export type ParsedApplicationOauthInput = z.output<typeof applicationOauthInputSchema>;
export type UpdateApplicationOauthBody = z.output<typeof updateApplicationOauthBodySchema>;
