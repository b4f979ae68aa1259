import * as z from 'zod';
import { authModeSchema, integrationCategorySchema } from '../integrations/integration-enums.ts';
import { callLimitsSchema } from '../policies/call-limits.schema.ts';
import { ALIAS_PATTERN, RESERVED_ALIAS } from '../rules/alias.ts';
import { writeBodySchema } from '../shared/bodies.ts';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { flagSchema, pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { nameSchema } from '../shared/text.ts';
import { timestampSchema } from '../shared/timestamps.ts';
import { withAtMost } from '../shared/unique.ts';
import { validationStatusSchema } from '../shared/validation.ts';
import { aggregateInputSchema, aggregateSchema } from './aggregate.schema.ts';
import {
  applicationOauthInputSchema,
  applicationOauthSchema,
  applicationOauthWithSecretSchema,
} from './oauth.schema.ts';

/** An integration in the list of an application that it is attached to. */
export const attachedIntegrationSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    category: integrationCategorySchema,
    authMode: authModeSchema,
    validationStatus: validationStatusSchema,
    archivedAt: timestampSchema.nullable(),
    attachedAt: timestampSchema,
    alias: z
      .string()
      .describe('What the names of its tools and prompts begin with; unique in the application.'),
    mcpUrl: z.string().nullable().describe('Null for `internal_mcp_credentials`.'),
  })
  .register(components, { id: 'AttachedIntegration' });

const countSchema = z.int().nonnegative();

/** An OAuth client with the integrations attached to it and the counters of its sessions. */
export const applicationSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    ownerUserId: idSchema,
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
    archivedAt: timestampSchema.nullable(),
    canModify: z.boolean().describe('Whether the current user can change the application.'),
    activeSessionCount: countSchema.describe('Open sessions with recent activity.'),
    idleSessionCount: countSchema.describe('The other open sessions.'),
    liveSessionCount: countSchema.describe('Open sessions with a stream or request in flight.'),
    totalSessionCount: countSchema.describe('All sessions ever.'),
    firstCallAt: timestampSchema
      .nullable()
      .describe('When a client other than the console first opened a session; null before that.'),
    limits: callLimitsSchema
      .nullable()
      .describe('How often all callers of the application together may; null without limits.'),
    aggregate: aggregateSchema,
    mcpUrl: z
      .string()
      .nullable()
      .describe(
        'Where clients reach all its integrations; null when that is off, and when archived.',
      ),
    mcpUrlTemplate: z
      .string()
      .nullable()
      .describe('RFC 6570 template with `integrationId`; null when archived.'),
    integrations: z
      .array(attachedIntegrationSchema)
      .describe('The attached integrations, in the order in which they were attached.'),
    oauth: applicationOauthSchema
      .nullable()
      .describe('Its OAuth client. Null is reserved: every application has one today.'),
  })
  .register(components, {
    id: 'Application',
    description: 'An OAuth client and the integrations that are attached to it.',
  });

const limitsInputSchema = callLimitsSchema
  .nullable()
  .optional()
  .describe('How often all callers of the application together may. Null and `{}` limit nothing.');

export const createApplicationBodySchema = z
  .strictObject({
    name: nameSchema,
    oauth: applicationOauthInputSchema,
    limits: limitsInputSchema,
  })
  .register(components, { id: 'CreateApplicationBody' });

/** Only these can be changed. */
export const updateApplicationBodySchema = writeBodySchema(
  {
    name: nameSchema.optional(),
    limits: limitsInputSchema,
    aggregate: aggregateInputSchema.optional(),
  },
  {
    fixed: [
      'id',
      'ownerUserId',
      'createdAt',
      'archivedAt',
      'canModify',
      'mcpUrl',
      'mcpUrlTemplate',
      'integrations',
      'oauth',
    ],
    moving: [
      'updatedAt',
      'activeSessionCount',
      'idleSessionCount',
      'liveSessionCount',
      'totalSessionCount',
      'firstCallAt',
    ],
  },
).register(components, { id: 'UpdateApplicationBody' });

export const listApplicationsQuerySchema = pageQuerySchema.extend({
  all: flagSchema,
  includeArchived: flagSchema,
});

/** The whole set. Duplicates are kept, so that the pointer of an error is the position as sent. */
export const setApplicationIntegrationsBodySchema = z
  .strictObject({
    integrationIds: withAtMost(z.array(idParamSchema), limits.attachedIntegrations).describe(
      `The whole set: at most ${limits.attachedIntegrations} different ids.`,
    ),
  })
  .register(components, { id: 'SetApplicationIntegrationsBody' });

const aliasSchema = z
  .string()
  .regex(ALIAS_PATTERN, 'At most 16 of `a` to `z`, `0` to `9` and `-`.')
  .refine((alias) => alias !== RESERVED_ALIAS, 'The alias is reserved.')
  .describe('Unique in the application. Empty: names stay as they are.');

/** Only the alias can be changed. */
export const updateAttachedIntegrationBodySchema = writeBodySchema(
  { alias: aliasSchema.optional() },
  {
    fixed: ['id', 'name', 'category', 'authMode', 'archivedAt', 'attachedAt', 'mcpUrl'],
    moving: ['validationStatus'],
  },
).register(components, { id: 'UpdateAttachedIntegrationBody' });

export const attachedIntegrationResponseSchema = z
  .object({
    integration: attachedIntegrationSchema.describe('The attached integration, as it is now.'),
  })
  .register(components, { id: 'AttachedIntegrationResponse' });

export const attachmentParamsSchema = z.object({ id: idParamSchema, integrationId: idParamSchema });

export const applicationResponseSchema = z
  .object({ application: applicationSchema })
  .register(components, { id: 'ApplicationResponse' });
export const applicationPageSchema = pageSchema(applicationSchema).register(components, {
  id: 'ApplicationPage',
});
export const applicationWithSecretResponseSchema = z
  .object({
    application: applicationSchema,
    oauth: applicationOauthWithSecretSchema,
  })
  .register(components, { id: 'ApplicationWithSecretResponse' });
export const applicationIntegrationsResponseSchema = z
  .object({
    integrationIds: z.array(idSchema).describe('In the order in which they were attached.'),
  })
  .register(components, { id: 'ApplicationIntegrationsResponse' });

export type AttachedIntegration = z.output<typeof attachedIntegrationSchema>;
export type AttachedIntegrationResponse = z.output<typeof attachedIntegrationResponseSchema>;
export type UpdateAttachedIntegrationBody = z.output<typeof updateAttachedIntegrationBodySchema>;
export type Application = z.output<typeof applicationSchema>;
export type ApplicationWithSecretResponse = z.output<typeof applicationWithSecretResponseSchema>;
export type ApplicationIntegrationsResponse = z.output<
  typeof applicationIntegrationsResponseSchema
>;
export type CreateApplicationBody = z.input<typeof createApplicationBodySchema>;
export type ParsedCreateApplicationBody = z.output<typeof createApplicationBodySchema>;
export type UpdateApplicationBody = z.output<typeof updateApplicationBodySchema>;
export type ListApplicationsQuery = z.output<typeof listApplicationsQuerySchema>;
export type ListApplicationsQueryInput = z.input<typeof listApplicationsQuerySchema>;
export type SetApplicationIntegrationsBody = z.output<typeof setApplicationIntegrationsBodySchema>;
