import type { Group } from '../../generated/prisma/client.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';
import type { GroupScope } from './rules.ts';

interface PageRange {
  readonly before: string | undefined;
  readonly take: number;
}

export function findGroup(
  db: Db,
  { organizationId, memberId }: GroupScope,
  id: string,
): Promise<Group | null> {
  const isMember = memberId === undefined ? {} : { members: { some: { userId: memberId } } };
  return db.group.findFirst({ where: { id, organizationId, ...isMember } });
}

/** Locks the row until the transaction ends, also against rules that are about to name the group. */
export async function lockGroupRow(db: Db, organizationId: string, id: string): Promise<void> {
  await db.$queryRaw`
    SELECT "id" FROM "Group"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid FOR UPDATE`;
}

/** One page, newest first. A member is in at most as many groups as there are. */
export function listGroups(
  db: Db,
  { organizationId, memberId }: GroupScope,
  { before, take }: PageRange,
): Promise<Group[]> {
  return db.group.findMany({
    where: {
      organizationId: oneRangeOf(organizationId),
      ...(before === undefined ? {} : { id: { lt: before } }),
      ...(memberId === undefined ? {} : { members: { some: { userId: memberId } } }),
    },
    orderBy: [{ organizationId: 'asc' }, { id: 'desc' }],
    take,
  });
}

export function countGroups(db: Db, organizationId: string): Promise<number> {
  return db.group.count({ where: { organizationId: oneRangeOf(organizationId) } });
}

interface GroupNames {
  readonly name: string;
  readonly externalId: string | null;
}

/** Names are compared without regard to case. */
function nameKeyOf(name: string): string {
  return name.toLowerCase();
}

/** Which of the two is already taken by another group of the organization. */
export async function findTaken(
  db: Db,
  organizationId: string,
  { name, externalId }: GroupNames,
  exceptId?: string,
): Promise<'name' | 'externalId' | undefined> {
  const nameKey = nameKeyOf(name);
  const isThis = externalId === null ? { nameKey } : { OR: [{ nameKey }, { externalId }] };
  const taken = await db.group.findFirst({
    where: {
      organizationId,
      ...isThis,
      ...(exceptId === undefined ? {} : { id: { not: exceptId } }),
    },
    select: { nameKey: true },
  });
  if (taken === null) return undefined;
  return taken.nameKey === nameKey ? 'name' : 'externalId';
}

export function insertGroup(
  db: Db,
  organizationId: string,
  { name, externalId }: GroupNames,
): Promise<Group> {
  const { id, createdAt } = createId();
  const nameKey = nameKeyOf(name);
  return db.group.create({
    data: { id, organizationId, name, nameKey, externalId, createdAt, updatedAt: createdAt },
  });
}

/** Writes a change, with the next version and so the next ETag. */
export function updateGroupRow(
  db: Db,
  id: string,
  { name, externalId }: GroupNames,
): Promise<Group> {
  return db.group.update({
    where: { id },
    data: {
      name,
      nameKey: nameKeyOf(name),
      externalId,
      version: { increment: 1 },
      updatedAt: new Date(),
    },
  });
}

/** Its memberships are deleted with it, by cascade. */
export async function deleteGroupRow(db: Db, id: string): Promise<void> {
  await db.group.delete({ where: { id } });
}

/** @returns false if the member is in the group already */
export async function insertMembership(
  db: Db,
  { groupId, userId }: { readonly groupId: string; readonly userId: string },
): Promise<boolean> {
  const inserted = await db.$executeRaw`
    INSERT INTO "GroupMember" ("groupId", "userId", "createdAt")
    VALUES (${groupId}::uuid, ${userId}::uuid, now()) ON CONFLICT DO NOTHING`;
  return inserted === 1;
}

/** @returns false if the member is not in the group */
export async function deleteMembership(
  db: Db,
  { groupId, userId }: { readonly groupId: string; readonly userId: string },
): Promise<boolean> {
  const { count } = await db.groupMember.deleteMany({ where: { groupId, userId } });
  return count === 1;
}

export function countGroupMembers(db: Db, groupId: string): Promise<number> {
  return db.groupMember.count({ where: { groupId } });
}
