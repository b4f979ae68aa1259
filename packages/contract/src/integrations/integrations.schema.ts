import * as z from 'zod';
import { connectionSchema } from '../connections/connections.schema.ts';
import { CANNOT_SEND_TOKEN, canSendToken } from '../rules/credential-properties.ts';
import { writeBodySchema } from '../shared/bodies.ts';
import { components } from '../shared/components.ts';
import { credentialValueSchema } from '../shared/headers.ts';
import { idSchema } from '../shared/ids.ts';
import { boundedJsonObjectSchema, jsonObjectSchema } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';
import { flagSchema, nameFilterSchema, pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { nameSchema } from '../shared/text.ts';
import { timestampSchema } from '../shared/timestamps.ts';
import { httpUrlSchema } from '../shared/uris.ts';
import { validationStageSchema, validationStatusSchema } from '../shared/validation.ts';
import { credentialSchemaSchema, HOW_VALUES_ARE_SENT } from './credential-schema.ts';
import { authModeSchema, integrationCategorySchema } from './integration-enums.ts';
import { integrationOauthInputSchema, integrationOauthSchema } from './oauth.schema.ts';

/** A remote tool endpoint with its authentication settings, as the current user sees it. */
export const integrationSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    url: z.string().describe('The MCP endpoint.'),
    category: integrationCategorySchema,
    authMode: authModeSchema,
    oauth: integrationOauthSchema.optional().describe('Present when stored, in any mode.'),
    capabilities: jsonObjectSchema
      .optional()
      .describe(
        'What the MCP server offers, as entered: `tools`, `resources` and `prompts` are the usual keys.',
      ),
    credentialSchema: jsonObjectSchema
      .optional()
      .describe(`JSON Schema 2020-12 of what a user enters. ${HOW_VALUES_ARE_SENT}`),
    serverTokenConfigured: z
      .boolean()
      .describe('Whether a server token for the present origin is stored.'),
    validationStatus: validationStatusSchema,
    validationMessage: z
      .string()
      .max(limits.validationMessage)
      .optional()
      .describe('What the last validation found, for people; absent while no validation counts.'),
    validationStages: z
      .array(validationStageSchema)
      .optional()
      .describe(
        'The stages of the last validation. Lists leave them out, and they are absent while no validation counts.',
      ),
    lastValidatedAt: timestampSchema
      .optional()
      .describe('When it was validated last; absent while no validation counts.'),
    certificateExpiresAt: timestampSchema
      .optional()
      .describe(
        'When the TLS certificate of the server expires, as a validation saw it last; absent without one.',
      ),
    validateEveryMinutes: z
      .int()
      .optional()
      .describe('How often the service validates it by itself; never when absent.'),
    userConnection: connectionSchema
      .optional()
      .describe('Present in the modes `user_token` and `oauth`.'),
    connectionCount: z
      .int()
      .nonnegative()
      .optional()
      .describe(
        'How many members have connected it, with connections to renew; for owners and admins, in the modes `user_token` and `oauth`.',
      ),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    archivedAt: timestampSchema.nullable(),
  })
  .register(components, {
    id: 'Integration',
    description: 'A remote MCP server, or a store of credentials for one, as the caller sees it.',
  });

const capabilitiesSchema = boundedJsonObjectSchema
  .refine(
    (value) => Object.keys(value).length <= limits.jsonProperties,
    `Must not have more than ${limits.jsonProperties} properties.`,
  )
  .meta({ maxProperties: limits.jsonProperties })
  .describe(
    'What the MCP server offers, as entered: `tools`, `resources` and `prompts` are the usual keys.',
  );

/** At most a week. */
const validateEveryMinutesSchema = z.int().min(5).max(10_080);

export const createIntegrationBodySchema = z
  .strictObject({
    name: nameSchema,
    url: httpUrlSchema.describe('The MCP endpoint: http or https, without user name and fragment.'),
    category: integrationCategorySchema.default('gateway_remote_mcp'),
    authMode: authModeSchema.default('none'),
    oauth: integrationOauthInputSchema
      .optional()
      .describe(
        'The beginning of the OAuth configuration; `PUT /integrations/{id}/oauth` sets all of it. In the mode `oauth` it may be absent: then everything is found out from the URL.',
      ),
    capabilities: capabilitiesSchema.optional(),
    credentialSchema: credentialSchemaSchema
      .optional()
      .describe(
        `JSON Schema 2020-12 of what a user enters: an object of strings, numbers and booleans. ${HOW_VALUES_ARE_SENT}`,
      ),
    serverToken: credentialValueSchema
      .optional()
      .describe('Required when `authMode` is `server_token`.'),
    validateEveryMinutes: validateEveryMinutesSchema
      .optional()
      .describe('Lets the service validate it again by itself, so often.'),
  })
  .superRefine((body, context) => {
    if (body.authMode !== 'server_token') return;
    if (body.serverToken === undefined) {
      const message = 'Required when authMode is server_token.';
      context.addIssue({ code: 'custom', path: ['serverToken'], message });
    }
    // A schema that exceeds the limits may be too large to be looked at.
    if (context.issues.some(({ path }) => path?.[0] === 'credentialSchema')) return;
    if (canSendToken(body.credentialSchema)) return;
    context.addIssue({ code: 'custom', path: ['credentialSchema'], message: CANNOT_SEND_TOKEN });
  })
  .register(components, { id: 'CreateIntegrationBody' });

/** Absent fields do not change and null clears a field. The merged result is checked later. */
export const updateIntegrationBodySchema = writeBodySchema(
  {
    name: nameSchema.optional(),
    url: httpUrlSchema
      .optional()
      .describe('The MCP endpoint. Stored credentials are not sent to a new origin.'),
    category: integrationCategorySchema.optional(),
    authMode: authModeSchema.optional(),
    oauth: integrationOauthInputSchema
      .nullable()
      .optional()
      .describe(
        'These fields are changed and the others kept; null removes the whole OAuth configuration. Where the mode `oauth` begins without one, everything is found out from the URL.',
      ),
    capabilities: capabilitiesSchema
      .nullable()
      .optional()
      .describe(
        'What the MCP server offers, as entered: `tools`, `resources` and `prompts` are the usual keys. Null removes it.',
      ),
    credentialSchema: credentialSchemaSchema
      .nullable()
      .optional()
      .describe(
        `JSON Schema 2020-12 of what a user enters: an object of strings, numbers and booleans. ${HOW_VALUES_ARE_SENT} Null removes it.`,
      ),
    serverToken: credentialValueSchema
      .nullable()
      .optional()
      .describe('Required when the origin of `url` changes in the mode `server_token`.'),
    validateEveryMinutes: validateEveryMinutesSchema
      .nullable()
      .optional()
      .describe('How often the service validates it by itself; null for never.'),
  },
  {
    fixed: ['id', 'serverTokenConfigured', 'createdAt', 'archivedAt'],
    moving: [
      'validationStatus',
      'validationMessage',
      'validationStages',
      'lastValidatedAt',
      'certificateExpiresAt',
      'userConnection',
      'connectionCount',
      'updatedAt',
    ],
  },
).register(components, { id: 'UpdateIntegrationBody' });

export const listIntegrationsQuerySchema = pageQuerySchema.extend({
  name: nameFilterSchema,
  includeArchived: flagSchema,
});

export const integrationResponseSchema = z
  .object({ integration: integrationSchema })
  .register(components, { id: 'IntegrationResponse' });
export const integrationPageSchema = pageSchema(integrationSchema).register(components, {
  id: 'IntegrationPage',
});

export type Integration = z.output<typeof integrationSchema>;
export type CreateIntegrationBody = z.input<typeof createIntegrationBodySchema>;
export type ParsedCreateIntegrationBody = z.output<typeof createIntegrationBodySchema>;
export type UpdateIntegrationBody = z.output<typeof updateIntegrationBodySchema>;
export type ListIntegrationsQuery = z.output<typeof listIntegrationsQuerySchema>;
export type ListIntegrationsQueryInput = z.input<typeof listIntegrationsQuerySchema>;
