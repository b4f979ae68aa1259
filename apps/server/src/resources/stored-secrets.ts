import type { Db } from '../platform/database/store.ts';

/*
 * Responses kept for replay by their Idempotency-Key may hold a one-time secret. It is erased when the
 * secret is replaced or revoked; a replay then answers 409 `secret_no_longer_available`.
 */

/** Erases the stored secrets of one application or token. */
export async function eraseStoredSecrets(db: Db, secretOf: string): Promise<void> {
  await db.idempotencyKey.updateMany({
    where: { secretOf, sealed: { not: null } },
    data: { sealed: null, keyId: null },
  });
}

/** Erases the stored secrets of every token and invitation of a user. */
export async function eraseStoredSecretsOfUser(db: Db, userId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "IdempotencyKey" SET "sealed" = NULL, "keyId" = NULL
    WHERE "secretOf" = ANY(ARRAY(SELECT "id" FROM "Token" WHERE "userId" = ${userId}::uuid))
      AND "sealed" IS NOT NULL`;
}
