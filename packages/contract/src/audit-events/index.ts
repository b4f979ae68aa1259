export {
  type AuditActorKind,
  type AuditEvent,
  type AuditEventKind,
  auditEventKinds,
  auditEventPageSchema,
  auditEventResponseSchema,
  auditEventSchema,
  type ListAuditEventsQuery,
  listAuditEventsQuerySchema,
} from './audit-events.schema.ts';
