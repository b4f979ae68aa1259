import * as z from 'zod';
import { authModeSchema, integrationCategorySchema } from '../integrations/integration-enums.ts';
import { memberRoleSchema } from '../members/members.schema.ts';
import { accessReasonCodes } from '../rules/access-reasons.ts';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { flagSchema, pageQuerySchema } from '../shared/pagination.ts';
import { peopleReasonCodes, policyLevelSchema } from '../shared/policy-reason.ts';
import { timestampSchema } from '../shared/timestamps.ts';
import { validationStatusSchema } from '../shared/validation.ts';

/** Why an attached integration cannot be used now: for anybody, or by the rules about people, for one person. */
export const accessPolicyReasonCodeSchema = z.enum([...accessReasonCodes, ...peopleReasonCodes]);

export const accessPolicySchema = z
  .object({
    allowed: z
      .boolean()
      .describe('Whether the person can use the integration through the application now.'),
    reasons: z
      .array(
        z.object({
          code: accessPolicyReasonCodeSchema.describe('What is in the way.'),
          message: z.string().describe('The same in a sentence.'),
          level: policyLevelSchema.optional().describe('Where the rule is, if a rule refuses.'),
        }),
      )
      .describe('Why not; empty when they can.'),
    tools: z
      .object({
        allowed: z
          .int()
          .min(0)
          .describe('How many of them rules let everyone call who may use it.'),
        total: z.int().min(0).describe('How many tools the server of the integration has listed.'),
      })
      .optional()
      .describe(
        'The tools in the catalogue. Absent for credential-only integrations, and where a page has too many to count: ' +
          'ask with `applicationId` and `integrationId`.',
      ),
  })
  .register(components, { id: 'AccessPolicy' });

export const accessGraphEdgeSchema = z
  .object({
    applicationId: idSchema,
    integrationId: idSchema,
    attachedAt: timestampSchema,
    use: z
      .enum(['called_through', 'handed_out_to'])
      .describe(
        '`called_through`: the application calls it through the gateway; `handed_out_to`: the ' +
          'application gets its credential, and calls it itself.',
      ),
    policy: accessPolicySchema.optional().describe('Present with `includePolicy`.'),
  })
  .register(components, { id: 'AccessGraphEdge' });

/** Which applications are attached to which integrations: a page of applications with all their edges. */
export const accessGraphSchema = z
  .object({
    applications: z
      .array(
        z.object({
          id: idSchema,
          name: z.string(),
          ownerUserId: idSchema,
          archivedAt: timestampSchema.nullable(),
        }),
      )
      .describe(
        'The applications of this page, newest first: those that are not archived, and archived ones with edges.',
      ),
    integrations: z
      .array(
        z.object({
          id: idSchema,
          name: z.string(),
          category: integrationCategorySchema,
          authMode: authModeSchema,
          validationStatus: validationStatusSchema,
          archivedAt: timestampSchema.nullable(),
        }),
      )
      .describe(
        'The integrations of the edges. On the first page also the newest 5,000 that are not archived and match ' +
          'the filters, attached or not.',
      ),
    edges: z
      .array(accessGraphEdgeSchema)
      .max(limits.accessGraphEdges)
      .describe(
        'What is attached to the applications of this page, newest first. A page with more than 5,000 ends at an earlier application.',
      ),
    truncated: z.boolean().describe('Whether there are more pages: `nextCursor` is not null.'),
    nextCursor: z
      .string()
      .nullable()
      .describe('For the next page of applications; null on the last one.'),
  })
  .register(components, { id: 'AccessGraph' });

/** `limit` counts applications. The policies are for the caller, unless `for…` says otherwise. */
export const accessGraphQuerySchema = pageQuerySchema
  .extend({
    includePolicy: flagSchema,
    applicationId: idParamSchema.optional(),
    integrationId: idParamSchema.optional(),
    forUserId: idParamSchema.optional(),
    forGroup: idParamSchema.optional(),
    forRole: memberRoleSchema.optional(),
  })
  .refine(
    ({ forUserId, forGroup, forRole }) =>
      forUserId === undefined || (forGroup === undefined && forRole === undefined),
    { path: ['forUserId'], message: 'Must not be combined with forGroup or forRole.' },
  );

export type AccessGraph = z.output<typeof accessGraphSchema>;
export type AccessGraphEdge = z.output<typeof accessGraphEdgeSchema>;
export type AccessGraphUse = AccessGraphEdge['use'];
export type AccessPolicy = z.output<typeof accessPolicySchema>;
export type AccessPolicyReasonCode = z.output<typeof accessPolicyReasonCodeSchema>;
export type AccessGraphQuery = z.output<typeof accessGraphQuerySchema>;
export type AccessGraphQueryInput = z.input<typeof accessGraphQuerySchema>;
