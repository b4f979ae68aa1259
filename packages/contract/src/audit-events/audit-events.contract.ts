import { auditEvent } from '../examples/audit.ts';
import { page } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import {
  auditEventPageSchema,
  auditEventResponseSchema,
  listAuditEventsQuerySchema,
} from './audit-events.schema.ts';

export const auditEventsContract = c.router(
  {
    list: {
      ...endpoint(routes.auditEvents.list, { responseExample: page(auditEvent) }),
      summary: 'List what was done',
      description:
        'Changes and gateway calls in one order, the newest first, by when they were recorded. ' +
        'A page may be short, or empty, while `nextCursor` is not null: go on with it. ' +
        'A reader leaves an `audit.read` event, one for each filter in ten minutes.',
      query: listAuditEventsQuerySchema,
      responses: { 200: auditEventPageSchema },
    },
    get: {
      ...endpoint(routes.auditEvents.get, { responseExample: { event: auditEvent } }),
      summary: 'Get one event',
      pathParams: idParamsSchema,
      responses: { 200: auditEventResponseSchema },
    },
  },
  routerOptions,
);
