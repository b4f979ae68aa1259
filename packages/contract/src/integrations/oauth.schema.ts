import * as z from 'zod';
import { writeBodySchema } from '../shared/bodies.ts';
import { components } from '../shared/components.ts';
import { limits } from '../shared/limits.ts';
import { recordSchema } from '../shared/records.ts';
import { scopesSchema } from '../shared/scopes.ts';
import { atMost, isStorable, lineSchema } from '../shared/text.ts';
import { issuerSchema, sentResourceSchema } from '../shared/uris.ts';

/** How the service authenticates at the provider's token endpoint (RFC 7591 section 2). */
export const tokenEndpointAuthMethodSchema = z
  .enum(['client_secret_basic', 'client_secret_post', 'none'])
  .register(components, {
    id: 'TokenEndpointAuthMethod',
    description:
      'How Gatehouse authenticates at the token endpoint of the provider (RFC 7591 section 2).',
  });

/** The part of an OAuth configuration that every role may read. Unset fields are omitted. */
export const integrationOauthSchema = z
  .object({
    provider: z.string().optional().describe('The OAuth provider, as entered.'),
    issuer: z
      .string()
      .optional()
      .describe('The authorization server (RFC 8414); discovered when absent.'),
    scopes: z.array(z.string()).describe('The scopes that users are asked for.'),
  })
  .register(components, { id: 'IntegrationOauth' });

/**
 * What owners and admins may read. The client secret and the values of the token parameters are
 * never returned: `clientSecretConfigured` and `tokenParamNames` report that they are stored.
 */
export const integrationOauthConfigSchema = integrationOauthSchema
  .extend({
    clientId: z
      .string()
      .optional()
      .describe('The client id at the provider; absent when Gatehouse gets one by itself.'),
    clientSecretConfigured: z
      .boolean()
      .describe('Whether a client secret for this issuer and client id is stored.'),
    tokenEndpointAuthMethod: tokenEndpointAuthMethodSchema.optional(),
    authorizationParams: z
      .record(z.string(), z.string())
      .optional()
      .describe('Parameters added to the authorization request.'),
    tokenParamNames: z
      .array(z.string())
      .optional()
      .describe('The names of the stored `tokenParams`.'),
    resource: z.string().optional().describe('Empty: not sent.'),
    redirectUri: z.string().describe('The redirect URI to enter in the OAuth app at the provider.'),
  })
  .register(components, {
    id: 'IntegrationOauthConfig',
    description: 'The OAuth configuration of an integration, without its secrets.',
  });

const providerSchema = lineSchema(limits.provider).describe(
  'The OAuth provider, by a name of your choice or that of a known one.',
);

/** The part of an OAuth configuration that can be set when an integration is created or updated. */
export const integrationOauthInputSchema = z
  .strictObject({
    provider: providerSchema.optional(),
    issuer: issuerSchema
      .optional()
      .describe('The authorization server (RFC 8414); discovered when absent.'),
    scopes: scopesSchema.optional(),
  })
  .register(components, {
    id: 'IntegrationOauthInput',
    description: 'The part of an OAuth configuration that comes with an integration.',
  });

/** Parameters that the flow itself sets; a configuration must not override them. */
const FLOW_PARAMETERS = new Set([
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'redirect_uri',
  'refresh_token',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
]);

const paramNameSchema = atMost(z.string().min(1), limits.name).refine(
  isStorable,
  'Must not contain NUL or unpaired surrogates.',
);

const paramValueSchema = atMost(z.string(), limits.url).refine(
  isStorable,
  'Must not contain NUL or unpaired surrogates.',
);

const extraParamsSchema = recordSchema(paramNameSchema, paramValueSchema).superRefine(
  (params, context) => {
    for (const name of Object.keys(params).filter((candidate) => FLOW_PARAMETERS.has(candidate))) {
      context.addIssue({ code: 'custom', path: [name], message: 'Is set by the flow itself.' });
    }
  },
);

/** RFC 6749 appendix A: client ids and secrets are visible ASCII and spaces. */
const clientTextSchema = (max: number) =>
  atMost(z.string().min(1), max).regex(/^[ -~]+$/, 'Must be ASCII without control characters.');

/**
 * The full OAuth configuration: absent fields are removed. Only `clientSecret` is kept, while
 * `clientId` and `issuer` are unchanged, unless it is null.
 */
export const putIntegrationOauthBodySchema = writeBodySchema(
  {
    provider: providerSchema,
    issuer: issuerSchema.describe('The authorization server (RFC 8414).'),
    scopes: scopesSchema,
    clientId: clientTextSchema(limits.clientId)
      .optional()
      .describe('The client id at the provider; absent when Gatehouse is to get one by itself.'),
    clientSecret: clientTextSchema(limits.credential)
      .nullable()
      .optional()
      .describe(
        'The client secret at the provider. Absent keeps the stored one while issuer and client id stay; null removes it.',
      ),
    tokenEndpointAuthMethod: tokenEndpointAuthMethodSchema.optional(),
    authorizationParams: extraParamsSchema
      .optional()
      .describe('Parameters to add to the authorization request.'),
    tokenParams: extraParamsSchema
      .nullable()
      .optional()
      .describe(
        'Parameters to add to token requests. They are stored as secrets and never returned.',
      ),
    resource: sentResourceSchema.optional(),
    redirectUri: atMost(z.string(), limits.url)
      .optional()
      .describe(
        'The redirect URI of the integration. Only a client that was entered with the one that all integrations shared before can have another; absent keeps it.',
      ),
  },
  { fixed: ['clientSecretConfigured', 'tokenParamNames'], moving: [] },
).register(components, { id: 'PutIntegrationOauthBody' });

export const integrationOauthConfigResponseSchema = z
  .object({
    oauth: integrationOauthConfigSchema,
  })
  .register(components, { id: 'IntegrationOauthConfigResponse' });

export type IntegrationOauth = z.output<typeof integrationOauthSchema>;
export type IntegrationOauthConfig = z.output<typeof integrationOauthConfigSchema>;
export type IntegrationOauthInput = z.output<typeof integrationOauthInputSchema>;
export type PutIntegrationOauthBody = z.output<typeof putIntegrationOauthBodySchema>;
export type TokenEndpointAuthMethod = z.output<typeof tokenEndpointAuthMethodSchema>;
