import type { MemberRole } from '@gatehouse/contract';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from '../platform/database/store.ts';
import type { Via } from './actor.ts';
import { invalidToken } from './bearer.ts';
import { LIVE_BROWSER_SESSION } from './browser-sessions.ts';
import type { PersonCaller } from './caller.ts';
import { GROUP_IDS_OF_MEMBER } from './group-ids.ts';

/** A person who is signed in with a browser. */
export type ConsoleCaller = PersonCaller & { readonly via: Via<'browser_session'> };

export interface ConsoleClaims {
  readonly sessionId: string;
  /** Of the token. */
  readonly expiresAt: Date | null;
}

interface Row {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: MemberRole;
  readonly groupIds: string[];
}

/** The person who is signed in by the session, while it lasts. */
export async function findConsoleCaller(
  db: Db,
  claims: ConsoleClaims,
  { lock = false } = {},
): Promise<ConsoleCaller | undefined> {
  const [row] = await db.$queryRaw<Row[]>`
    SELECT s."organizationId", s."userId", u."role"::text AS "role", ${GROUP_IDS_OF_MEMBER} AS "groupIds"
    FROM "BrowserSession" s JOIN "User" u ON u."id" = s."userId"
    WHERE s."id" = ${claims.sessionId}::uuid AND ${LIVE_BROWSER_SESSION}
    ${lock ? Prisma.sql`FOR SHARE OF u FOR KEY SHARE OF s` : Prisma.empty}`;
  if (row === undefined) return undefined;
  const { expiresAt, sessionId: id } = claims;
  return {
    kind: 'person',
    ...row,
    via: { kind: 'browser_session', id },
    scopes: ['management:read', 'management:write'],
    expiresAt,
    audience: { kind: 'management' },
  };
}

/**
 * @param lock keeps the session from being ended, and the member from being changed or removed, until the
 *   transaction ends
 * @throws ProblemError `unauthenticated` when the session or the member is gone
 */
export async function requireConsoleCaller(
  db: Db,
  claims: ConsoleClaims,
  options: { readonly lock: boolean },
): Promise<ConsoleCaller> {
  const caller = await findConsoleCaller(db, claims, options);
  if (caller === undefined) throw invalidToken();
  return caller;
}
