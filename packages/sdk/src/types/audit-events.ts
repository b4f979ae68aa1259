import type { Open } from './open.ts';
import type { PageQuery } from './pagination.ts';

/** `management`: a change, or a look at the audit; `call`: a request to the gateway. */
export type AuditEventKind = 'management' | 'call';

/** `operator`: a person at the server; `service`: Gatehouse itself. */
export type AuditActorKind = 'person' | 'application' | 'operator' | 'service' | 'unknown';

/**
 * Who did something, and what they acted with.
 */
export interface AuditActor {
  kind: Open<AuditActorKind>;
  /** UUID of the member or application; `null` for the others. */
  id: string | null;
  /** The name of that time. */
  name: string | null;
  /** Such as a personal token: `applicationId` is that of a grant, through which a person acts. */
  via: { kind: string; id: string | null; applicationId?: string };
}

/**
 * What something was done to.
 */
export interface AuditTarget {
  /** Such as `application`, `integration`, `member`. */
  kind: string;
  /** Its id; of a connection `<integrationId>:<userId>`. */
  id: string | null;
  /** The name of that time. */
  name: string | null;
}

/**
 * What one call, or one change, did.
 */
export interface AuditEvent {
  /** UUID. */
  id: string;
  kind: Open<AuditEventKind>;
  /** ISO 8601. When it happened; of a call, when it ended. */
  at: string;
  /** Such as `application.archived`; of a call `call`. */
  action: string;
  actor: AuditActor;
  target: AuditTarget;
  /** `succeeded` or `failed`; of a call how it ended, such as `relayed` or `policy`. */
  outcome: string;
  /** The `X-Request-Id` of the request. */
  requestId: string | null;
  /** The client’s IP address. */
  address: string | null;
  /** What this action has beside: never secrets, emails, arguments or results. */
  details: { [name: string]: unknown };
}

/**
 * The query of `GET /audit-events`: which events to list, all that match every field.
 */
export interface ListAuditEventsQuery extends PageQuery {
  /** Only events of this kind. */
  readonly kind?: AuditEventKind | undefined;
  /** Only events with this action. */
  readonly action?: string | undefined;
  /** Only what this member or application did. */
  readonly actorId?: string | undefined;
  /** Only events that this person did or that concern them. */
  readonly userId?: string | undefined;
  /** Only events that concern this application. */
  readonly applicationId?: string | undefined;
  /** Only events that concern this integration. */
  readonly integrationId?: string | undefined;
  /** Only events with this outcome, or one of several, separated by commas. */
  readonly outcome?: string | undefined;
  /** Only calls of this MCP method. */
  readonly method?: string | undefined;
  /** Only calls of the tool with this name. */
  readonly tool?: string | undefined;
  /** Only events of the request with this `X-Request-Id`. */
  readonly requestId?: string | undefined;
  /** RFC 3339. Only events recorded at this time or later. */
  readonly from?: string | undefined;
  /** RFC 3339. Only events recorded before this time. */
  readonly to?: string | undefined;
}

/**
 * A page of events. It may have fewer items than its limit although there are more.
 */
export interface AuditEventPage {
  items: AuditEvent[];
  nextCursor: string | null;
  /** ISO 8601. How far back the pages up to this one have looked; `null` on the last one. */
  reachedAt: string | null;
}

/**
 * The response of `GET /audit-events/:id`.
 */
export interface AuditEventResponse {
  event: AuditEvent;
}

/**
 * The query of `GET /audit-events/export`: of which time. The response is text, lines of JSON that `gatehouse audit verify`
 * reads.
 */
export interface ExportAuditEventsQuery {
  /** RFC 3339. Only events recorded at this time or later. */
  readonly from?: string | undefined;
  /** RFC 3339. Only events recorded before this time. */
  readonly to?: string | undefined;
}

/** `failed`: something is missing or changed. */
export type AuditVerdict = 'verified' | 'failed';

/**
 * What a verification found missing or changed.
 */
export interface AuditFinding {
  /** Such as `block_missing` or `event_changed`. */
  code: string;
  /** UUID of a process, in which it was found. */
  run: string | null;
  /** Of the block, in which it was found. */
  number: number | null;
  /** A sentence. */
  message: string;
}

/**
 * Whether the audit is whole, as the server found on its own.
 */
export interface AuditVerification {
  /** ISO 8601. When it began: what was recorded later is not covered. */
  at: string;
  /** ISO 8601. */
  finishedAt: string;
  verdict: Open<AuditVerdict>;
  /** The first ones; empty when verified. */
  findings: AuditFinding[];
  /** Of all organizations. */
  blocks: number;
  /** Call events. */
  calls: number;
  /** Management events. */
  changes: number;
  /** Processes that ended without the block that ends a chain. */
  crashes: number;
  /** ISO 8601. Until when retention has dropped events of each kind; `null` if it has not. */
  droppedUntil: { calls: string | null; management: string | null };
}

/**
 * The response of `GET /audit-events/verification`.
 */
export interface AuditVerificationResponse {
  /** `null` before the first one. */
  verification: AuditVerification | null;
}
