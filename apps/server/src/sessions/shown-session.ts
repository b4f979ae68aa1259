import type { SessionKind } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Era } from '../mcp/era.ts';
import { isLasting } from './leases.ts';
import { isOpen, ttl } from './sql.ts';
import type { SessionWindows } from './windows.ts';

/** Ids of sessions that this node has in memory, ahead of what it has written. */
export interface LocalSessions {
  readonly nodeId: string;
  /** Something is in flight on this node. */
  readonly live: readonly string[];
  /** Active within the window. */
  readonly active: readonly string[];
}

/** The state of a session follows from its row, from these times and from what this node alone knows. */
export interface SessionView {
  readonly windows: SessionWindows;
  readonly local: LocalSessions;
}

/** Sessions of that application, or of any of these, and of that person. */
export interface SessionsOfSome {
  readonly applicationId?: string | readonly string[] | undefined;
  readonly userId?: string | undefined;
}

/** What the management API needs beside the rows of sessions: this node's memory, which is ahead of them. */
export interface SessionAdmin {
  readonly windows: SessionWindows;
  /** The view of these sessions; further ones do no harm. */
  viewOf(some: SessionsOfSome): SessionView;
}

/** A session or lease as the management API shows it. */
export interface ListedSession {
  readonly kind: SessionKind;
  readonly id: string;
  readonly applicationId: string;
  readonly integrationId: string;
  readonly userId: string;
  /** `legacy` if the upstream issued a session id, whatever the client's version. */
  readonly era: Era;
  readonly state: 'open' | 'closed' | 'expired' | 'revoked';
  /** Something is in flight, on any node. */
  readonly live: boolean;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  readonly endedAt: Date | null;
  /** Null for a session. */
  readonly expiresAt: Date | null;
}

/** Something is in flight in `s`: on this node by its memory, which is ahead of its rows. */
export function isInFlightBeside({ local: { nodeId, live } }: SessionView): Prisma.Sql {
  return Prisma.sql`(s."id" = ANY(${[...live]}::uuid[]) OR EXISTS (
    SELECT 1 FROM "SessionPresence" p WHERE p."sessionId" = s."id"
      AND p."leaseUntil" > now() AND p."nodeId" <> ${nodeId}::uuid))`;
}

/** The session `s` is open, by this node's memory too. */
export function isOpenBeside({ windows, local: { live } }: SessionView): Prisma.Sql {
  return Prisma.sql`
    (s."state" = 'open' AND (s."id" = ANY(${[...live]}::uuid[]) OR (${isOpen(windows)})))`;
}

/**
 * The columns of {@link ListedSession} of a session `s`. A revocation also ends rows of sessions that had expired; they
 * are shown as expired all the same.
 */
export function shownSession(view: SessionView): Prisma.Sql {
  const hadExpired = Prisma.sql`
    (s."state" = 'revoked' AND s."endedAt" > s."lastActivityAt" + ${ttl(view.windows)})`;
  return Prisma.sql`
    'session' AS "kind", s."id", s."applicationId", s."integrationId", s."userId", s."era"::text AS "era",
    CASE WHEN ${hadExpired} THEN 'expired'
      WHEN s."state" <> 'open' THEN s."state"::text
      WHEN ${isOpenBeside(view)} THEN 'open'
      ELSE 'expired' END AS "state",
    s."state" = 'open' AND ${isInFlightBeside(view)} AS "live",
    s."createdAt", s."lastActivityAt", CASE WHEN NOT ${hadExpired} THEN s."endedAt" END AS "endedAt",
    NULL::timestamptz AS "expiresAt"`;
}

/** The columns of {@link ListedSession} of a lease. */
export const shownLease = Prisma.sql`
  'lease' AS "kind", "id", "applicationId", "integrationId", "userId", 'modern' AS "era",
  CASE WHEN "endedAt" IS NOT NULL THEN 'revoked' WHEN ${isLasting} THEN 'open'
    ELSE 'expired' END AS "state",
  false AS "live", "createdAt", "createdAt" AS "lastActivityAt", "endedAt", "expiresAt"`;
