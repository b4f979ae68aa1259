import * as z from 'zod';
import { endedSessionsSchema, sessionWithNamesSchema } from '../sessions/all-sessions.schema.ts';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';

const countSchema = z.int().nonnegative();

function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    total: countSchema,
    items: z.array(item).describe(`The newest, at most ${limits.namedRows}.`),
  });
}

const namedSchema = z.object({ id: idSchema, name: z.string() });

/** What a member has, and what becomes of it when they are removed. Only what still works is counted. */
const memberAccessSchema = z
  .object({
    connections: listOf(namedSchema).describe('Integrations that they have connected. These end.'),
    tokens: listOf(namedSchema).describe('Personal access tokens and invitations. These end.'),
    grants: listOf(namedSchema).describe(
      'What they have allowed clients to do, with the name of the client or its application. These end.',
    ),
    grantTokens: countSchema.describe('Access and refresh tokens of these grants. These end.'),
    consents: countSchema.describe('Remembered consents. These end.'),
    sessions: endedSessionsSchema.describe(
      `Open sessions and leases, at most ${limits.countedSessions} of each counted. These end.`,
    ),
    recentSessions: z
      .array(sessionWithNamesSchema)
      .describe(`The newest of these, at most ${limits.namedRows}.`),
    groups: listOf(namedSchema).describe('Groups that they are in, which they leave.'),
    applications: listOf(
      namedSchema.extend({
        clientSecretConfigured: z
          .boolean()
          .describe('It has a secret that the member may know. To be safe, rotate it.'),
      }),
    ).describe('Applications that they own and that are not archived. These stay.'),
    rules: listOf(
      z.object({
        integrationId: idSchema,
        integrationName: z.string(),
        applicationId: idSchema
          .nullable()
          .describe('Null for the rules of the integration, else of its attachment.'),
        applicationName: z.string().nullable(),
      }),
    ).describe('Policies with rules that name them. These stay, and name nobody then.'),
  })
  .register(components, {
    id: 'MemberAccess',
    description: 'What ends and what stays when a member is removed.',
  });

export const memberAccessResponseSchema = z
  .object({ access: memberAccessSchema })
  .register(components, { id: 'MemberAccessResponse' });

export type MemberAccess = z.output<typeof memberAccessSchema>;
