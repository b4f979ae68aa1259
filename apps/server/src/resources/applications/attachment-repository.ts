import type { Application } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import type { StoredRules } from '../../policy/stored-rules.ts';

export interface AttachmentRow {
  readonly id: string;
  readonly integrationId: string;
  readonly alias: string;
}

/** The attachments of one application in the order in which they were made. */
export function listAttachments(db: Db, applicationId: string): Promise<AttachmentRow[]> {
  return db.attachment.findMany({
    where: { applicationId },
    orderBy: { id: 'asc' },
    select: { id: true, integrationId: true, alias: true },
  });
}

export async function insertAttachments(
  db: Db,
  { organizationId, id: applicationId }: Pick<Application, 'organizationId' | 'id'>,
  attached: readonly Omit<AttachmentRow, 'id'>[],
): Promise<void> {
  await db.attachment.createMany({
    data: attached.map((attachment) => ({
      ...createId(),
      organizationId,
      applicationId,
      ...attachment,
    })),
  });
}

export async function updateAlias(db: Db, id: string, alias: string): Promise<void> {
  await db.attachment.update({ where: { id }, data: { alias } });
}

export async function deleteAttachments(db: Db, ids: readonly string[]): Promise<void> {
  await db.attachment.deleteMany({ where: { id: { in: [...ids] } } });
}

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
