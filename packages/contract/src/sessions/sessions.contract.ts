import { page, session } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
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
  },
  routerOptions,
);
