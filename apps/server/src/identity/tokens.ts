import type { TokenScope } from '@gatehouse/contract';
import { Prisma, type Token } from '../generated/prisma/client.ts';
import type { Role, TokenKind } from '../generated/prisma/enums.ts';
import type { Db } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import type { Actor } from './actor.ts';
import { invalidToken } from './bearer.ts';
import { requireGrantedActor } from './oauth-tokens.ts';

export interface NewToken {
  readonly organizationId: string;
  readonly userId: string;
  readonly kind: TokenKind;
  readonly name: string;
  readonly hash: Buffer<ArrayBuffer>;
  readonly scopes: readonly TokenScope[];
  readonly expiresAt: Date | null;
}

export function insertToken(db: Db, token: NewToken): Promise<Token> {
  return db.token.create({ data: { ...createId(), ...token, scopes: [...token.scopes] } });
}

interface ActorRow {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly kind: TokenKind;
  readonly scopes: TokenScope[];
  readonly expiresAt: Date | null;
  readonly role: Role;
}

/** An unexpired token and its user, as an {@link ActorRow}. */
const SELECT_ACTOR = Prisma.sql`
  SELECT t."id", t."organizationId", t."userId", t."kind"::text AS "kind", t."scopes", t."expiresAt", u."role"::text AS "role"
  FROM "Token" t JOIN "User" u ON u."id" = t."userId"
  WHERE (t."expiresAt" IS NULL OR t."expiresAt" > clock_timestamp())`;

/** Finds the actor of an unexpired token with one indexed read. */
export async function findActorByHash(db: Db, hash: Buffer): Promise<Actor | undefined> {
  const [row] = await db.$queryRaw<ActorRow[]>`${SELECT_ACTOR} AND t."hash" = ${hash}`;
  return row && toActor(row);
}

/**
 * Reads the caller again, and keeps the token or grant from being revoked, and the member from being
 * changed or removed, until the transaction ends. `KEY SHARE` lets their `lastUsedAt` be written.
 *
 * @throws ProblemError `unauthenticated` when the token or the member is gone
 */
export async function lockActor(db: Db, actor: Actor): Promise<Actor> {
  const { tokenId, authorization } = actor;
  if (authorization !== undefined) {
    return requireGrantedActor(db, actor, authorization, { lock: true });
  }
  const [row] = await db.$queryRaw<ActorRow[]>`
    ${SELECT_ACTOR} AND t."id" = ${tokenId}::uuid FOR SHARE OF u FOR KEY SHARE OF t`;
  if (!row) throw invalidToken();
  return toActor(row);
}

function toActor(row: ActorRow): Actor {
  const { id, organizationId, userId, role, kind, scopes, expiresAt } = row;
  return {
    organizationId,
    userId,
    role,
    tokenId: id,
    tokenKind: kind,
    tokenExpiresAt: expiresAt,
    scopes,
  };
}

/** Records the last use of many tokens and grants, to the minute, in one statement. */
export async function touchTokens(db: Db, ids: readonly string[]): Promise<void> {
  const used = Prisma.sql`SET "lastUsedAt" = date_trunc('minute', now())
    WHERE "id" = ANY(${[...ids]}::uuid[])
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" < date_trunc('minute', now()))`;
  await db.$executeRaw`WITH "granted" AS (UPDATE "Grant" ${used}) UPDATE "Token" ${used}`;
}
