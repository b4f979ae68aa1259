import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { limits } from '../shared/limits.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { instantSchema, timestampSchema } from '../shared/timestamps.ts';

export const auditVerdicts = ['verified', 'failed'] as const;

const nullableId = z.string().nullable();
const nullableName = z.string().nullable().describe('Its name when it happened, if it had one.');

export const auditEventKinds = ['management', 'call'] as const;
const auditActorKinds = ['person', 'application', 'operator', 'service', 'unknown'] as const;

const actorSchema = z
  .object({
    kind: z.enum(auditActorKinds),
    id: nullableId.describe('Of the member or application; null for the others.'),
    name: nullableName,
    via: z
      .object({
        kind: z
          .string()
          .describe('Such as `personal_token`, `grant`, `browser_session`, `command`, `job`.'),
        id: nullableId.describe('Of the token, grant or session; the name of a command or job.'),
        applicationId: idSchema
          .optional()
          .describe('Of a grant: the application through which the person acts.'),
      })
      .describe('What the actor acted with.'),
  })
  .describe('Who did it. `operator` is a person at the server, `service` Gatehouse itself.');

const targetSchema = z
  .object({
    kind: z.string().describe('Such as `application`, `integration`, `member`.'),
    id: nullableId.describe('Its id; of a connection `<integrationId>:<userId>`.'),
    name: nullableName,
  })
  .describe('What it was done to.');

export const auditEventSchema = z
  .object({
    id: idSchema,
    kind: z
      .enum(auditEventKinds)
      .describe(
        '`management`: a change, or a look at the audit. `call`: a request to the gateway, or tokens that were issued or refreshed.',
      ),
    at: timestampSchema.describe(
      'When it happened; of a call, when it ended, or was answered on a stream that went on.',
    ),
    action: z
      .string()
      .describe('Such as `application.archived`; of a request to the gateway `call`.'),
    actor: actorSchema,
    target: targetSchema,
    outcome: z
      .string()
      .describe('`succeeded` or `failed`; of a call how it ended, such as `relayed` or `policy`.'),
    requestId: nullableId.describe('The `X-Request-Id` of the request.'),
    address: z.string().nullable().describe('The client’s IP address.'),
    details: z
      .record(z.string(), z.unknown())
      .describe('What this action has beside: never secrets, emails, arguments or results.'),
  })
  .register(components, { id: 'AuditEvent', description: 'What one call, or one change, did.' });

export const auditEventPageSchema = pageSchema(auditEventSchema)
  .extend({
    reachedAt: timestampSchema
      .nullable()
      .describe('How far back the pages up to this one have looked; null on the last one.'),
  })
  .register(components, { id: 'AuditEventPage' });

export const auditEventResponseSchema = z
  .object({ event: auditEventSchema })
  .register(components, { id: 'AuditEventResponse' });

const text = z.string().min(1).max(200);

/** When events were recorded. */
const span = {
  from: instantSchema.optional().describe('Only events recorded at this time or later.'),
  to: instantSchema.optional().describe('Only events recorded before this time.'),
};

export const listAuditEventsQuerySchema = pageQuerySchema.extend({
  kind: z.enum(auditEventKinds).optional().describe('Only events of this kind.'),
  action: text.optional().describe('Only events with this action.'),
  actorId: idSchema.optional().describe('Only what this member or application did.'),
  userId: idSchema.optional().describe('Only events that this person did or that concern them.'),
  applicationId: idSchema.optional().describe('Only events that concern this application.'),
  integrationId: idSchema.optional().describe('Only events that concern this integration.'),
  outcome: text
    .optional()
    .describe('Only events with this outcome, or one of several, separated by commas.'),
  method: text.optional().describe('Only calls of this MCP method.'),
  tool: text.optional().describe('Only calls of the tool with this name.'),
  requestId: text.optional().describe('Only events of the request with this `X-Request-Id`.'),
  ...span,
});

export const exportAuditEventsQuerySchema = z.object(span);

export const auditExportSchema = z.string().register(components, {
  id: 'AuditExport',
  description: 'Lines of JSON, which `gatehouse audit verify` reads.',
});

const countSchema = z.int().nonnegative();
const droppedSchema = timestampSchema.nullable().describe('Null while all of them are kept.');

const auditFindingSchema = z.object({
  code: z.string().describe('What is wrong, such as `block_missing` or `event_changed`.'),
  run: idSchema.nullable().describe('Of a process, in which it was found.'),
  number: z.int().positive().nullable().describe('Of the block, in which it was found.'),
  message: z.string().describe('What is wrong, in a sentence.'),
});

export const auditVerificationSchema = z
  .object({
    at: timestampSchema.describe('When it began: what was recorded later is not covered.'),
    finishedAt: timestampSchema.describe('When it ended.'),
    verdict: z.enum(auditVerdicts),
    findings: z
      .array(auditFindingSchema)
      .max(limits.auditFindings)
      .describe('The first ones, one for each run; empty when verified.'),
    blocks: countSchema.describe('Those of all organizations.'),
    calls: countSchema.describe('Call events.'),
    changes: countSchema.describe('Management events.'),
    crashes: countSchema.describe('Processes that ended without the block that ends a chain.'),
    droppedUntil: z
      .object({ calls: droppedSchema, management: droppedSchema })
      .describe('Until when retention has dropped events of each kind; null if it has not.'),
  })
  .register(components, { id: 'AuditVerification', description: 'Whether the audit is whole.' });

export const auditVerificationResponseSchema = z
  .object({ verification: auditVerificationSchema.nullable().describe('Null before the first.') })
  .register(components, { id: 'AuditVerificationResponse' });

export type AuditEvent = z.output<typeof auditEventSchema>;
export type AuditEventKind = (typeof auditEventKinds)[number];
export type AuditVerdict = (typeof auditVerdicts)[number];
export type AuditActorKind = (typeof auditActorKinds)[number];
export type ListAuditEventsQuery = z.output<typeof listAuditEventsQuerySchema>;
export type AuditVerification = z.output<typeof auditVerificationSchema>;
export type ExportAuditEventsQuery = z.output<typeof exportAuditEventsQuerySchema>;
