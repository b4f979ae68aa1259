import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';

/**
 * The revoked modern session that still blocks the token on the attachment. Only the newest one can:
 * while a token is blocked, no new session is made.
 */
export function activeBlock(attachmentId: Prisma.Sql, bearerId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT r."refusedUntil" FROM (
      SELECT "refusedUntil" FROM "Session"
      WHERE "tokenId" = ${bearerId} AND "attachmentId" = ${attachmentId}
        AND "era" = 'modern' AND "state" = 'revoked'
      ORDER BY "id" DESC LIMIT 1
    ) r WHERE r."refusedUntil" > now()`;
}

/** Milliseconds that the token remains blocked on the attachment; undefined if it is not blocked. */
export async function findBlock(
  db: Db,
  attachmentId: string,
  bearerId: string,
): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ left: number }[]>`
    SELECT (extract(epoch FROM f."refusedUntil" - now()) * 1000)::float8 AS "left"
    FROM (${activeBlock(Prisma.sql`${attachmentId}::uuid`, Prisma.sql`${bearerId}::uuid`)}) f`;
  return row?.left;
}

/** @param blockedFor milliseconds until the token may begin a session, or get a lease, there again. */
export function tokenBlocked(
  blockedFor: number,
  kind: 'session' | 'lease' = 'session',
): ProblemError {
  const verb = kind === 'session' ? 'begin' : 'get';
  const detail = `The ${kind} of this token was revoked; it may ${verb} another one later.`;
  return new ProblemError('forbidden', detail, {
    headers: { 'Retry-After': String(Math.ceil(blockedFor / 1000)) },
  });
}
