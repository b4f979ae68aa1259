import { ids, page, session, sessionWithNames } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import {
  endSessionsBodySchema,
  endSessionsResponseSchema,
  listAllSessionsQuerySchema,
  sessionWithNamesPageSchema,
} from './all-sessions.schema.ts';
import {
  listSessionsQuerySchema,
  sessionPageSchema,
  sessionParamsSchema,
} from './sessions.schema.ts';

export const sessionsContract = c.router(
  {
    list: {
      ...endpoint(routes.sessions.list, { responseExample: page(session) }),
      summary: 'List the sessions of an application',
      description:
        'In any state, newest first. Leases of credentials that were handed out are among them.',
      pathParams: idParamsSchema,
      query: listSessionsQuerySchema,
      responses: { 200: sessionPageSchema },
    },
    revoke: {
      ...endpoint(routes.sessions.revoke),
      summary: 'Revoke a session',
      description:
        'Its next request is refused and its open streams are cut. After a lease was revoked, its ' +
        'holder gets no other one for as long as an idle modern session lasts; what was handed out ' +
        'works until the upstream ends it.',
      pathParams: sessionParamsSchema,
      responses: { 204: c.noBody() },
    },
    listAll: {
      ...endpoint(routes.sessions.listAll, { responseExample: page(sessionWithNames) }),
      summary: 'List sessions across applications',
      description:
        'For admins and owners those of the organization, for a member their own. Newest first, in any ' +
        'state, leases included. Filters are joined by “and”. A page may have fewer entries than its ' +
        'limit, or no entry, although further ones match: follow `nextCursor`.',
      query: listAllSessionsQuerySchema,
      responses: { 200: sessionWithNamesPageSchema },
    },
    end: {
      ...endpoint(routes.sessions.end, {
        hasLocation: false,
        requestExample: { filter: { applicationId: ids.application }, dryRun: true },
        responseExample: {
          ended: { sessions: 1, leases: 0, streams: 0 },
          remaining: 0,
          items: [sessionWithNames],
        },
      }),
      summary: 'End the open sessions of a filter',
      description:
        'Each as if it were revoked by itself, leases too. For admins and owners those of the ' +
        'organization, for a member their own. With `dryRun` nothing ends, and the answer says what would. One ' +
        `request ends at most ${limits.endedSessions}: repeat it until \`remaining\` is 0.`,
      body: endSessionsBodySchema,
      responses: { 200: endSessionsResponseSchema },
    },
  },
  routerOptions,
);
