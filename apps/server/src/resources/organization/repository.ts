import type { Organization } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database/store.ts';

/** Locks the organization's row: changes of it and of its members run one after another. */
export async function lockOrganizationRow(db: Db, id: string): Promise<void> {
  await db.$queryRaw`SELECT "id" FROM "Organization" WHERE "id" = ${id}::uuid FOR UPDATE`;
}

/** The caller's organization, which exists as long as the caller does. */
export function readOrganization(db: Db, id: string): Promise<Organization> {
  return db.organization.findUniqueOrThrow({ where: { id } });
}

export function updateOrganizationRow(
  db: Db,
  id: string,
  change: Pick<Organization, 'name'>,
): Promise<Organization> {
  return db.organization.update({ where: { id }, data: change });
}
