import { Prisma } from '../generated/prisma/client.ts';
import type { SessionWindows } from './windows.ts';

/*
 * Fragments of statements about sessions. Except for `interval` and `endAssignments`, they name the
 * table `s`.
 */

/** Milliseconds as an SQL interval. */
export function interval(milliseconds: number): Prisma.Sql {
  return Prisma.sql`(${milliseconds}::float8 * interval '1 millisecond')`;
}

/**
 * What an UPDATE that ends sessions assigns. The upstream's session id is erased: nothing uses it
 * again, and the key that sealed it may retire.
 */
export function endAssignments(state: 'closed' | 'expired' | 'revoked'): Prisma.Sql {
  return Prisma.sql`"state" = ${state}::"SessionState", "sealed" = NULL, "keyId" = NULL`;
}

/** Some node has a call or stream of the session open. */
export const isInFlight = Prisma.sql`EXISTS (
  SELECT 1 FROM "SessionPresence" p WHERE p."sessionId" = s."id" AND p."leaseUntil" > now())`;

/**
 * What an UPDATE that revokes sessions assigns. What is in flight is cut now, so now is its last
 * activity: otherwise a session that was silent for longer than its era allows reads as expired.
 */
export const revokeAssignments = Prisma.sql`${endAssignments('revoked')}, "endedAt" = now(),
  "lastActivityAt" = CASE WHEN ${isInFlight} THEN now() ELSE s."lastActivityAt" END`;

/** The silence after which a session expires, by its era. */
export function ttl(windows: SessionWindows): Prisma.Sql {
  return Prisma.sql`CASE s."era"
    WHEN 'legacy' THEN ${interval(windows.legacyTtl)} ELSE ${interval(windows.modernTtl)} END`;
}

/** The session is behind the aggregate session that the modern clients of its token share, see `AggregateSessions.ofToken`. */
const isOfToken = Prisma.sql`EXISTS (
  SELECT 1 FROM "AggregateSession" a WHERE a."id" = s."aggregateSessionId" AND a."hash" =
    sha256(convert_to(s."applicationId"::text || chr(10) || s."tokenId"::text, 'UTF8')))`;

/**
 * Until when a session that is revoked by itself is followed by no other one. A client of an ordinary legacy session hears
 * that it has ended, and may begin another one; so may the client of an aggregate session. Modern clients share theirs by
 * their token and cannot begin one, so that another one follows.
 */
export function refusedUntil({ modernTtl, legacyTtl }: SessionWindows): Prisma.Sql {
  return Prisma.sql`CASE WHEN s."era" = 'modern' THEN now() + ${interval(modernTtl)}
    WHEN s."aggregateSessionId" IS NOT NULL AND NOT ${isOfToken}
    THEN now() + ${interval(legacyTtl)} END`;
}

/** Open means not ended, and not idle for longer than its era allows unless something is in flight. */
export function isOpen(windows: SessionWindows): Prisma.Sql {
  return Prisma.sql`
    s."state" = 'open' AND (
      s."lastActivityAt" > now() - ${ttl(windows)}
      OR ${isInFlight})`;
}
