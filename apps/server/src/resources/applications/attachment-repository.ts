import type { Application } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';

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
