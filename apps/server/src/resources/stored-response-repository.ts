import type { Db } from '../platform/database/store.ts';

/*
 * A response that is stored for its Idempotency-Key may contain a one-time secret. It is erased when
 * the secret is replaced or revoked. A replay is then refused with 409 `secret_no_longer_available`.
 */

/** Erases the stored responses with a secret of one application or token, or with a link of one member. */
export async function eraseResponsesWithSecretOf(db: Db, secretOf: string): Promise<void> {
  await db.idempotencyKey.updateMany({
    where: { secretOf, sealed: { not: null } },
    data: { sealed: null, keyId: null },
  });
}

/** Erases the stored responses with a token, invitation or link of a user. */
export async function eraseResponsesWithSecretsOfUser(db: Db, userId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "IdempotencyKey" SET "sealed" = NULL, "keyId" = NULL
    WHERE "secretOf" = ANY(
        ARRAY(SELECT "id" FROM "Token" WHERE "userId" = ${userId}::uuid) || ${userId}::uuid)
      AND "sealed" IS NOT NULL`;
}
