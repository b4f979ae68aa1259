import type { Db } from '../../platform/database/store.ts';
import type { StoredRules } from '../../policy/stored-rules.ts';

/** An attachment and its rules. */
export interface AttachmentPolicyRow<Rules = unknown> {
  readonly attachmentId: string;
  readonly rules: Rules;
}

/** With `{}` for no rules. Undefined where the integration is not attached. */
export async function findAttachmentPolicy(
  db: Db,
  applicationId: string,
  integrationId: string,
): Promise<AttachmentPolicyRow | undefined> {
  const row = await db.attachment.findUnique({
    where: { applicationId_integrationId: { applicationId, integrationId } },
    select: { id: true, policy: { select: { rules: true } } },
  });
  if (row === null) return undefined;
  return { attachmentId: row.id, rules: row.policy === null ? {} : row.policy.rules };
}

export async function deleteAttachmentPolicy(db: Db, attachmentId: string): Promise<void> {
  await db.attachmentPolicy.deleteMany({ where: { attachmentId } });
}

export async function upsertAttachmentPolicy(
  db: Db,
  organizationId: string,
  { attachmentId, rules }: AttachmentPolicyRow<StoredRules>,
  groupIds: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "AttachmentPolicy" ("attachmentId", "organizationId", "rules", "groupIds")
    VALUES (${attachmentId}::uuid, ${organizationId}::uuid, ${JSON.stringify(rules)}::jsonb,
      ${[...groupIds]}::uuid[])
    ON CONFLICT ("attachmentId") DO UPDATE
      SET "rules" = EXCLUDED."rules", "groupIds" = EXCLUDED."groupIds"`;
}
