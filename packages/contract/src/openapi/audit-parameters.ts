import {
  auditEventKinds,
  listAuditEventsQuerySchema,
} from '../audit-events/audit-events.schema.ts';
import type { JsonObject } from '../shared/json.ts';

/** Those that every list has. */
const OF_PAGES: ReadonlySet<string> = new Set(['limit', 'cursor']);

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  kind: { type: 'string', enum: [...auditEventKinds] },
  actorId: { type: 'string', format: 'uuid' },
  userId: { type: 'string', format: 'uuid' },
  applicationId: { type: 'string', format: 'uuid' },
  integrationId: { type: 'string', format: 'uuid' },
  from: { type: 'string', format: 'date-time' },
  to: { type: 'string', format: 'date-time' },
};

/** The component of a filter of the list of events. */
export function auditParameter(name: string): string {
  return `audit${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The filters of the list of events under their component names. */
export const auditParameters: JsonObject = Object.fromEntries(
  Object.entries(listAuditEventsQuerySchema.shape)
    .filter(([name]) => !OF_PAGES.has(name))
    .map(([name, schema]) => [
      auditParameter(name),
      {
        name,
        in: 'query',
        description: schema.description ?? '',
        schema: SCHEMAS[name] ?? { type: 'string', minLength: 1, maxLength: 200 },
      },
    ]),
);
