import { limits, type TokenScope } from '@gatehouse/contract';
import type { Token } from '../generated/prisma/client.ts';
import { oneRangeOf } from '../platform/database/index-range.ts';
import type { Db } from '../platform/database/store.ts';
import { ProblemError } from '../platform/problem-error.ts';
import { createTokenSecret } from './token-secret.ts';
import { insertToken } from './tokens.ts';

export interface NewPersonalToken {
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly expiresAt: Date | null;
}

/** @returns the row, and the secret, which is stored nowhere. @throws ProblemError `token_limit_reached` */
export async function createPersonalToken(
  db: Db,
  wanted: NewPersonalToken,
): Promise<{ token: Token; secret: string }> {
  // Simultaneous requests may exceed it by their number: it is against runaway programs.
  if ((await countTokens(db, wanted.userId)) >= limits.tokens) {
    throw new ProblemError(
      'token_limit_reached',
      `A member can have at most ${limits.tokens} tokens. Revoke some that are no longer used.`,
    );
  }
  const { secret, hash } = createTokenSecret('personal');
  return { token: await insertToken(db, { ...wanted, kind: 'personal', hash }), secret };
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
