import * as z from 'zod';
import { writeBodySchema } from '../shared/bodies.ts';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { emailSchema, nameSchema } from '../shared/text.ts';
import { timestampSchema } from '../shared/timestamps.ts';

/** What a user may do in the organization. */
export const memberRoleSchema = z.enum(['owner', 'admin', 'member']).register(components, {
  id: 'MemberRole',
  description:
    'What a user may do: a member what is their own, an admin everything but what concerns owners.',
});

/** A user of the organization; `id` is the user's id. */
export const memberSchema = z
  .object({
    id: idSchema,
    email: z.string(),
    name: z.string(),
    role: memberRoleSchema,
    createdAt: timestampSchema,
  })
  .register(components, { id: 'Member', description: 'A user of the organization.' });

export const createMemberBodySchema = z
  .strictObject({
    email: emailSchema,
    name: nameSchema,
    role: memberRoleSchema,
  })
  .register(components, { id: 'CreateMemberBody' });

/** Absent fields do not change. */
export const updateMemberBodySchema = writeBodySchema(
  { name: nameSchema.optional(), role: memberRoleSchema.optional() },
  { fixed: ['id', 'email', 'createdAt'], moving: [] },
).register(components, { id: 'UpdateMemberBody' });

export const listMembersQuerySchema = pageQuerySchema.extend({
  groupId: idParamSchema.optional(),
});
export const memberPageSchema = pageSchema(memberSchema).register(components, { id: 'MemberPage' });
export const memberResponseSchema = z
  .object({ member: memberSchema })
  .register(components, { id: 'MemberResponse' });

/**
 * `invitation` to choose a first password, `reset` to choose another one. By default what fits: `reset`
 * for a member who has a password.
 */
export const createSignInLinkBodySchema = z
  .strictObject({
    purpose: z
      .enum(['invitation', 'reset'])
      .optional()
      .describe(
        '`invitation`: to choose a first password; `reset`: another one. By default what fits the member.',
      ),
  })
  .optional()
  .register(components, { id: 'CreateSignInLinkBody' });

/** The link is delivered only here. */
export const signInLinkResponseSchema = z
  .object({
    url: z.string().describe('For this member alone; works once.'),
    expiresAt: timestampSchema.describe(
      'After seven days for an invitation, one hour for a reset.',
    ),
  })
  .register(components, { id: 'SignInLinkResponse' });

/** `invitation` is a bearer token, valid for 7 days, that may read `/me` and create one token. */
export const createMemberResponseSchema = z
  .object({
    member: memberSchema,
    invitation: z.string().describe('A bearer token that works once, for seven days.'),
    invitationUrl: z
      .string()
      .describe('Where the member chooses a password; works once, for seven days.'),
  })
  .register(components, { id: 'CreateMemberResponse' });

/** The applications with a secret that the removed member may know, and the groups they were in: at most 100 of each. */
export const removeMemberResponseSchema = z
  .object({
    applications: z
      .array(z.object({ id: idSchema, name: z.string() }))
      .describe('At most 100, newest first. To be safe, rotate their secrets.'),
    groups: z
      .array(z.object({ id: idSchema, name: z.string() }))
      .describe('Those that the member was in: at most 100, newest first.'),
  })
  .register(components, { id: 'RemoveMemberResponse' });

export type Member = z.output<typeof memberSchema>;
export type MemberRole = z.output<typeof memberRoleSchema>;
export type CreateMemberBody = z.output<typeof createMemberBodySchema>;
export type UpdateMemberBody = z.output<typeof updateMemberBodySchema>;
export type CreateSignInLinkBody = z.output<typeof createSignInLinkBodySchema>;
export type SignInLinkResponse = z.output<typeof signInLinkResponseSchema>;
export type RemoveMemberResponse = z.output<typeof removeMemberResponseSchema>;
export type CreateMemberResponse = z.output<typeof createMemberResponseSchema>;
