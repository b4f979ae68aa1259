import type { Application } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';

/** The attachments of one application in the order in which they were made. */
export function listAttachments(
  db: Db,
  applicationId: string,
): Promise<{ id: string; integrationId: string }[]> {
  return db.attachment.findMany({
    where: { applicationId },
    orderBy: { id: 'asc' },
    select: { id: true, integrationId: true },
  });
}

export async function insertAttachments(
  db: Db,
  { organizationId, id: applicationId }: Pick<Application, 'organizationId' | 'id'>,
  integrationIds: readonly string[],
): Promise<void> {
  await db.attachment.createMany({
    data: integrationIds.map((integrationId) => ({
      ...createId(),
      organizationId,
      applicationId,
      integrationId,
    })),
  });
}

export async function deleteAttachments(db: Db, ids: readonly string[]): Promise<void> {
  await db.attachment.deleteMany({ where: { id: { in: [...ids] } } });
}
