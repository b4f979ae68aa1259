import type { PolicyReferenceKind } from '@gatehouse/contract';
import type { Db } from '../platform/database/store.ts';

/** Which of these ids the organization has. Groups stay until the transaction ends, so that a rule cannot name one that is gone. */
export async function findExisting(
  db: Db,
  organizationId: string,
  ids: Readonly<Record<PolicyReferenceKind, readonly string[]>>,
): Promise<ReadonlySet<string>> {
  const lists = await Promise.all([
    lockGroups(db, organizationId, ids.group),
    findUsers(db, organizationId, ids.user),
    findApplications(db, organizationId, ids.application),
  ]);
  return new Set(lists.flat());
}

/** By ascending id, so that two transactions cannot deadlock. */
async function lockGroups(db: Db, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Group"
    WHERE "id" = ANY(${[...ids]}::uuid[]) AND "organizationId" = ${organizationId}::uuid
    ORDER BY "id" FOR SHARE`;
  return rows.map(({ id }) => id);
}

async function findUsers(db: Db, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const where = { id: { in: [...ids] }, organizationId };
  const rows = await db.user.findMany({ where, select: { id: true } });
  return rows.map(({ id }) => id);
}

async function findApplications(db: Db, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const where = { id: { in: [...ids] }, organizationId };
  const rows = await db.application.findMany({ where, select: { id: true } });
  return rows.map(({ id }) => id);
}

/** The groups that a user is in. */
export async function listGroupIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db.groupMember.findMany({ where: { userId }, select: { groupId: true } });
  return rows.map(({ groupId }) => groupId);
}
