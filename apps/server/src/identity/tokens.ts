import type { TokenScope } from '@gatehouse/contract';
import type { Token } from '../generated/prisma/client.ts';
import type { Role, TokenKind } from '../generated/prisma/enums.ts';
import type { Db } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import type { TokenRecord } from './authenticator.ts';

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

interface TokenRow {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly kind: TokenKind;
  readonly scopes: TokenScope[];
  readonly expiresAt: Date | null;
  readonly role: Role;
}

/** Finds an unexpired token and its user with one indexed read. */
export async function findTokenByHash(db: Db, hash: Buffer): Promise<TokenRecord | undefined> {
  const [row] = await db.$queryRaw<TokenRow[]>`
    SELECT t."id", t."organizationId", t."userId", t."kind"::text AS "kind", t."scopes", t."expiresAt", u."role"::text AS "role"
    FROM "Token" t JOIN "User" u ON u."id" = t."userId"
    WHERE t."hash" = ${hash} AND (t."expiresAt" IS NULL OR t."expiresAt" > now())`;
  if (!row) return undefined;
  const { id, organizationId, userId, role, kind, scopes, expiresAt } = row;
  return {
    actor: { organizationId, userId, role, tokenId: id, tokenKind: kind, scopes },
    expiresAt,
  };
}

/** Records the last use of many tokens, to the minute, in one statement. */
export async function touchTokens(db: Db, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`
    UPDATE "Token" SET "lastUsedAt" = date_trunc('minute', now())
    WHERE "id" = ANY(${[...ids]}::uuid[])
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" < date_trunc('minute', now()))`;
}
