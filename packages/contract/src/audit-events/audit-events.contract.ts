import { auditEvent, auditExport, auditVerification } from '../examples/audit.ts';
import { page } from '../examples/resources.ts';
import { routes } from '../routes.ts';
import { c, endpoint, routerOptions } from '../shared/endpoint.ts';
import { idParamsSchema } from '../shared/ids.ts';
import {
  auditEventPageSchema,
  auditEventResponseSchema,
  auditExportSchema,
  auditVerificationResponseSchema,
  exportAuditEventsQuerySchema,
  listAuditEventsQuerySchema,
} from './audit-events.schema.ts';

export const auditEventsContract = c.router(
  {
    list: {
      ...endpoint(routes.auditEvents.list, {
        responseExample: { ...page(auditEvent), reachedAt: null },
      }),
      summary: 'List what was done',
      description:
        'Changes and gateway calls in one order, the newest first, by when they were recorded. ' +
        'A page may be short, or empty, while `nextCursor` is not null: go on with it, ' +
        'as far back as `reachedAt` says you want to look. ' +
        'A reader leaves an `audit.read` event, one for each filter in ten minutes.',
      query: listAuditEventsQuerySchema,
      responses: { 200: auditEventPageSchema },
    },
    export: {
      ...endpoint(routes.auditEvents.export, {
        // Clients of ts-rest read `application/` with `json` in it as one value.
        mediaType: 'text/x-ndjson',
        responseExample: auditExport,
      }),
      summary: 'Export the audit',
      description:
        'Lines of JSON for `gatehouse audit verify`: the events of the organization and the signed chains that they are in, with `from` and `to` only those recorded in that span. ' +
        'The last line counts and signs those before it: a file without it was cut off. ' +
        'One export runs at a time for each organization and node. It leaves an `audit.exported` event.',
      query: exportAuditEventsQuerySchema,
      responses: { 200: auditExportSchema },
    },
    verification: {
      ...endpoint(routes.auditEvents.verification, {
        responseExample: { verification: auditVerification },
      }),
      summary: 'Get the last verification of the audit',
      description:
        'The server verifies the whole audit once a day, as `gatehouse audit verify` does without a key: it finds what was changed by someone without the signing key.',
      responses: { 200: auditVerificationResponseSchema },
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
