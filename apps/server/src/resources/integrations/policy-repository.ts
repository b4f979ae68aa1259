import type { Db } from '../../platform/database/store.ts';
import type { StoredRules } from '../../policy/stored-rules.ts';

/** The stored rules of an integration, `{}` for no rules. */
export async function findIntegrationPolicy(db: Db, integrationId: string): Promise<unknown> {
  const row = await db.integrationPolicy.findUnique({
    where: { integrationId },
    select: { rules: true },
  });
  return row === null ? {} : row.rules;
}

export async function deleteIntegrationPolicy(db: Db, integrationId: string): Promise<void> {
  await db.integrationPolicy.deleteMany({ where: { integrationId } });
}

export async function upsertIntegrationPolicy(
  db: Db,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  rules: StoredRules,
  groupIds: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "IntegrationPolicy" ("integrationId", "organizationId", "rules", "groupIds")
    VALUES (${id}::uuid, ${organizationId}::uuid, ${JSON.stringify(rules)}::jsonb,
      ${[...groupIds]}::uuid[])
    ON CONFLICT ("integrationId") DO UPDATE
      SET "rules" = EXCLUDED."rules", "groupIds" = EXCLUDED."groupIds"`;
}
