import * as z from 'zod';
import { writeBodySchema } from '../shared/bodies.ts';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { atMost, isPrintable, nameSchema } from '../shared/text.ts';
import { timestampSchema } from '../shared/timestamps.ts';

/** Compared exactly, so it is stored as it was sent. */
const externalIdSchema = atMost(z.string().min(1), limits.externalId)
  .refine(isPrintable, 'Must not contain control characters.')
  .nullable()
  .describe(
    'What the identity provider calls the group in its claim, compared exactly. Who is in the group then ' +
      'follows the claim at each sign-in. `null` where admins choose the members.',
  );

/** A team that rules may name instead of its members. */
export const groupSchema = z
  .object({
    id: idSchema,
    name: z.string().describe('Unique without regard to case.'),
    externalId: z
      .string()
      .nullable()
      .describe(
        'What the identity provider calls the group; `null` where admins choose its members.',
      ),
    createdAt: timestampSchema,
    updatedAt: timestampSchema.describe('A change of its members does not move it.'),
  })
  .register(components, { id: 'Group', description: 'A team of the organization.' });

export const createGroupBodySchema = z
  .strictObject({ name: nameSchema, externalId: externalIdSchema.optional() })
  .register(components, { id: 'CreateGroupBody' });

/** Absent fields do not change. */
export const updateGroupBodySchema = writeBodySchema(
  { name: nameSchema.optional(), externalId: externalIdSchema.optional() },
  { fixed: ['id', 'createdAt'], moving: ['updatedAt'] },
).register(components, { id: 'UpdateGroupBody' });

export const listGroupsQuerySchema = pageQuerySchema;
export const groupPageSchema = pageSchema(groupSchema).register(components, { id: 'GroupPage' });
export const groupResponseSchema = z
  .object({ group: groupSchema })
  .register(components, { id: 'GroupResponse' });

/** A policy that names a group. */
const groupPolicySchema = z
  .object({
    integrationId: idSchema,
    integrationName: z.string(),
    applicationId: idSchema
      .nullable()
      .describe('Of an attachment; `null` for a policy of the integration itself.'),
    applicationName: z.string().nullable(),
  })
  .register(components, { id: 'GroupPolicy', description: 'A policy that names a group.' });

export const groupPoliciesResponseSchema = z
  .object({
    policies: z.array(groupPolicySchema).describe('Those of integrations first.'),
    truncated: z.boolean().describe('Whether there are more.'),
  })
  .register(components, { id: 'GroupPoliciesResponse' });

export const groupMemberParamsSchema = z.object({ id: idParamSchema, memberId: idParamSchema });

export type Group = z.output<typeof groupSchema>;
export type GroupPolicy = z.output<typeof groupPolicySchema>;
export type CreateGroupBody = z.output<typeof createGroupBodySchema>;
export type UpdateGroupBody = z.output<typeof updateGroupBodySchema>;
