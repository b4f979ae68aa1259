import { hash, randomBytes } from 'node:crypto';
import { limits, secretPrefixes, type TokenScope } from '@gatehouse/contract';
import { Prisma, type Token } from '../generated/prisma/client.ts';
import type { Role, TokenKind } from '../generated/prisma/enums.ts';
import { oneRangeOf } from '../platform/database/index-range.ts';
import type { Db, Tx } from '../platform/database/store.ts';
import { createId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem-error.ts';
import type { Actor } from './actor.ts';
import { invalidToken } from './bearer.ts';
import type { PersonCaller } from './caller.ts';
import { GROUP_IDS_OF_MEMBER } from './group-ids.ts';

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

interface CallerRow {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly kind: TokenKind;
  readonly scopes: TokenScope[];
  readonly expiresAt: Date | null;
  readonly role: Role;
  readonly groupIds: string[];
}

/** An unexpired token and its user, as an {@link CallerRow}. */
const SELECT_CALLER = Prisma.sql`
  SELECT t."id", t."organizationId", t."userId", t."kind"::text AS "kind", t."scopes", t."expiresAt", u."role"::text AS "role",
    ${GROUP_IDS_OF_MEMBER} AS "groupIds"
  FROM "Token" t JOIN "User" u ON u."id" = t."userId"
  WHERE (t."expiresAt" IS NULL OR t."expiresAt" > clock_timestamp())`;

/** Finds the caller of an unexpired personal token or invitation with one indexed read. */
export async function findTokenCaller(db: Db, hash: Buffer): Promise<PersonCaller | undefined> {
  const [row] = await db.$queryRaw<CallerRow[]>`${SELECT_CALLER} AND t."hash" = ${hash}`;
  return row && toCaller(row);
}

/**
 * @param lock keeps the token from being revoked, and the member from being changed or removed, until the
 *   transaction ends. `KEY SHARE` lets their `lastUsedAt` be written.
 * @throws ProblemError `unauthenticated` when the token or the member is gone
 */
export async function requireTokenCaller(
  db: Db,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<PersonCaller> {
  const [row] = await db.$queryRaw<CallerRow[]>`
    ${SELECT_CALLER} AND t."id" = ${id}::uuid
    ${lock ? Prisma.sql`FOR SHARE OF u FOR KEY SHARE OF t` : Prisma.empty}`;
  if (!row) throw invalidToken();
  return toCaller(row);
}

function toCaller(row: CallerRow): PersonCaller {
  const { id, organizationId, userId, role, groupIds, kind, scopes, expiresAt } = row;
  const via = { kind: VIA[kind], id };
  return { kind: 'person', organizationId, userId, role, groupIds, via, scopes, expiresAt };
}

const VIA = { personal: 'personal_token', invitation: 'invitation' } as const satisfies Record<
  TokenKind,
  string
>;

/** Records the last use of many tokens and grants, to the minute, in one statement. */
export async function touchTokens(db: Db, ids: readonly string[]): Promise<void> {
  const used = Prisma.sql`SET "lastUsedAt" = date_trunc('minute', now())
    WHERE "id" = ANY(${[...ids]}::uuid[])
      AND ("lastUsedAt" IS NULL OR "lastUsedAt" < date_trunc('minute', now()))`;
  await db.$executeRaw`WITH "granted" AS (UPDATE "Grant" ${used}) UPDATE "Token" ${used}`;
}

/** Creates the secret of a token, with 256 random bits. Only the hash is stored. */
export function createTokenSecret(kind: 'personal' | 'invitation'): {
  secret: string;
  hash: Buffer<ArrayBuffer>;
} {
  const secret = secretPrefixes[kind] + randomBytes(32).toString('base64url');
  return { secret, hash: Buffer.from(hashToken(secret)) };
}

/** The SHA-256 of a token, by which it is stored and found. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** @returns the row, and the secret, which is stored nowhere. @throws ProblemError `token_limit_reached` */
export async function createPersonalToken(
  { db, record }: Pick<Tx, 'db' | 'record'>,
  wanted: Omit<NewToken, 'kind' | 'hash'>,
  actor: Actor,
): Promise<{ token: Token; secret: string }> {
  // Simultaneous requests may exceed it by their number: it is against runaway programs.
  if ((await countTokens(db, wanted.userId)) >= limits.tokens) {
    throw new ProblemError(
      'token_limit_reached',
      `A member can have at most ${limits.tokens} tokens. Revoke some that are no longer used.`,
    );
  }
  const { secret, hash } = createTokenSecret('personal');
  const token = await insertToken(db, { ...wanted, kind: 'personal', hash });
  const { userId, scopes } = wanted;
  record({ action: 'token.created', actor, targetId: token.id, userId, scopes });
  return { token, secret };
}

/** The unexpired personal tokens of a member. */
function countTokens(db: Db, userId: string): Promise<number> {
  return db.token.count({
    where: {
      userId: oneRangeOf(userId),
      kind: 'personal',
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
  });
}
