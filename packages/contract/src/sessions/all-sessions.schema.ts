import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idParamSchema, idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { sessionKindSchema, sessionSchema, sessionStateSchema } from './sessions.schema.ts';

const filterFields = {
  applicationId: idParamSchema.optional(),
  integrationId: idParamSchema.optional(),
  userId: idParamSchema.optional(),
  state: sessionStateSchema.optional().describe('Only those in this state.'),
  kind: sessionKindSchema.optional().describe('Only of this kind.'),
};

export const listAllSessionsQuerySchema = pageQuerySchema.extend(filterFields);

/** A session of any application, with the names that a person knows it by. */
export const sessionWithNamesSchema = sessionSchema
  .extend({
    applicationId: idSchema,
    applicationName: z.string(),
    integrationName: z.string(),
    userName: z
      .string()
      .nullable()
      .describe('Null where `userId` is, and for a member who was removed.'),
  })
  .register(components, { id: 'SessionWithNames' });

export const sessionWithNamesPageSchema = pageSchema(sessionWithNamesSchema).register(components, {
  id: 'SessionWithNamesPage',
});

const NEEDS_ID = 'Name at least one of applicationId, integrationId and userId.';

/** Which sessions to end. State and kind alone would be nearly all, so that one of the ids is required. */
const endSessionsFilterSchema = z
  .strictObject(filterFields)
  .refine(
    ({ applicationId, integrationId, userId }) =>
      (applicationId ?? integrationId ?? userId) !== undefined,
    NEEDS_ID,
  )
  .meta({ minProperties: 1 })
  .register(components, { id: 'EndSessionsFilter', description: NEEDS_ID });

export const endSessionsBodySchema = z
  .strictObject({
    filter: endSessionsFilterSchema,
    dryRun: z.boolean().optional().describe('Ends nothing, and says what would end.'),
  })
  .register(components, { id: 'EndSessionsBody' });

const countSchema = z.int().nonnegative();

/** How many sessions ended, or would end. */
export const endedSessionsSchema = z
  .object({
    sessions: countSchema.describe('Sessions that were open.'),
    leases: countSchema.describe('Leases of credentials that still lasted.'),
    streams: countSchema.describe('Of the sessions, those with a stream or request in flight.'),
  })
  .register(components, { id: 'EndedSessions' });

export const endSessionsResponseSchema = z
  .object({
    ended: endedSessionsSchema.describe(
      `What has ended, at most ${limits.endedSessions}; with \`dryRun\` all that match, at most ${limits.countedSessions} of each counted.`,
    ),
    remaining: countSchema.describe('How many that match further requests have to end.'),
    items: z
      .array(sessionWithNamesSchema)
      .describe(`The newest of them, at most ${limits.namedRows}.`),
  })
  .register(components, { id: 'EndSessionsResponse' });

export type ListAllSessionsQuery = z.output<typeof listAllSessionsQuerySchema>;
export type SessionWithNames = z.output<typeof sessionWithNamesSchema>;
export type EndSessionsBody = z.output<typeof endSessionsBodySchema>;
export type EndedSessions = z.output<typeof endedSessionsSchema>;
export type EndSessionsResponse = z.output<typeof endSessionsResponseSchema>;
