import type { IntegrationSecret } from '../../generated/prisma/client.ts';
import type { SecretKind } from '../../generated/prisma/enums.ts';
import type { Db } from '../../platform/database/store.ts';

/** Replaces the secret of the same kind. The integration must be locked. */
export async function replaceSecret(db: Db, secret: IntegrationSecret): Promise<void> {
  await deleteSecrets(db, secret.integrationId, [secret.kind]);
  await insertSecret(db, secret);
}

export async function insertSecret(db: Db, secret: IntegrationSecret): Promise<void> {
  await db.integrationSecret.create({ data: secret });
}

export async function deleteSecrets(
  db: Db,
  integrationId: string,
  kinds: readonly SecretKind[],
): Promise<void> {
  await db.integrationSecret.deleteMany({ where: { integrationId, kind: { in: [...kinds] } } });
}
