import * as z from 'zod';
import { components } from '../shared/components.ts';
import { httpUrlSchema } from '../shared/uris.ts';
import { validateIntegrationResponseSchema } from '../shared/validation.ts';
import { authModeSchema } from './integration-enums.ts';
import { integrationOauthInputSchema } from './oauth.schema.ts';

export const discoverIntegrationBodySchema = z
  .strictObject({
    url: httpUrlSchema.describe('The MCP endpoint to look at.'),
  })
  .register(components, { id: 'DiscoverIntegrationBody' });

/** How a program becomes a client of an authorization server. */
export const clientRegistrationSchema = z
  .enum(['static', 'metadata_document', 'dynamic'])
  .describe(
    '`static`: a client made there by hand; `metadata_document`: one described by a document at a URL; `dynamic`: one that registers itself.',
  );

/** What is known about an endpoint that nobody has registered yet. */
export const discoverySchema = z
  .object({
    name: z.string().nullable().describe('What the server calls itself.'),
    era: z
      .enum(['modern', 'legacy'])
      .nullable()
      .describe('`modern`: MCP 2026-07-28 and later; null when it speaks no MCP.'),
    authentication: z
      .enum(['none', 'bearer', 'oauth', 'unknown'])
      .describe('What the server asks for; `unknown` when it was not reached.'),
    provider: z.string().nullable().describe('The OAuth provider, if it is a known one.'),
    issuer: z.string().nullable().describe('The authorization server; null when it was not found.'),
    scopes: z.array(z.string()).describe('The scopes that the server or its challenge names.'),
    registration: z
      .array(clientRegistrationSchema)
      .describe('The ways to get an OAuth client there, the best one first.'),
  })
  .register(components, { id: 'Discovery', description: 'What was found at the URL.' });

/** A body for `POST /integrations`. */
export const suggestedIntegrationSchema = z.object({
  name: z.string().describe('What the server calls itself, or the name of its provider or host.'),
  url: z.string().describe('The URL of the request.'),
  authMode: authModeSchema,
  // A schema without a name: responses may gain fields, the named body may not.
  oauth: z
    .strictObject(integrationOauthInputSchema.shape)
    .optional()
    .describe('Present when the server asks for OAuth.'),
});

export const discoverIntegrationResponseSchema = validateIntegrationResponseSchema
  .extend({
    discovery: discoverySchema,
    integration: suggestedIntegrationSchema
      .nullable()
      .describe('A body for `POST /integrations`; null when no MCP server was found.'),
  })
  .register(components, { id: 'DiscoverIntegrationResponse' });

export type DiscoverIntegrationBody = z.output<typeof discoverIntegrationBodySchema>;
export type ClientRegistration = z.output<typeof clientRegistrationSchema>;
export type Discovery = z.output<typeof discoverySchema>;
export type SuggestedIntegration = z.output<typeof suggestedIntegrationSchema>;
export type DiscoverIntegrationResponse = z.output<typeof discoverIntegrationResponseSchema>;
