import type { User } from '../../generated/prisma/client.ts';
import type { Role } from '../../generated/prisma/enums.ts';
import { oneRangeOf } from '../../platform/database/index-range.ts';
import type { Db } from '../../platform/database/store.ts';
import { createId } from '../../platform/ids.ts';

export function findMember(db: Db, organizationId: string, id: string): Promise<User | null> {
  return db.user.findFirst({ where: { id, organizationId } });
}

/** Locks the member until the transaction ends, also against writes that depend on this member's role. */
export async function lockMemberRow(db: Db, organizationId: string, id: string): Promise<void> {
  await db.$queryRaw`
    SELECT "id" FROM "User"
    WHERE "id" = ${id}::uuid AND "organizationId" = ${organizationId}::uuid FOR UPDATE`;
}

export async function isEmailUsed(db: Db, organizationId: string, email: string): Promise<boolean> {
  const found = await db.user.findUnique({
    where: { organizationId_email: { organizationId, email } },
    select: { id: true },
  });
  return found !== null;
}

export function countOwners(db: Db, organizationId: string): Promise<number> {
  return db.user.count({ where: { organizationId, role: 'owner' } });
}

export function insertMember(
  db: Db,
  member: { organizationId: string; email: string; name: string; role: Role },
): Promise<User> {
  return db.user.create({ data: { ...createId(), ...member } });
}

export function updateMemberRow(
  db: Db,
  id: string,
  change: Pick<User, 'name' | 'role'>,
): Promise<User> {
  return db.user.update({ where: { id }, data: change });
}

/** The ids of the deleted invitations of a member. */
export async function deleteInvitations(db: Db, userId: string): Promise<string[]> {
  const where = { userId: oneRangeOf(userId), kind: 'invitation' } as const;
  const invitations = await db.token.findMany({ where, select: { id: true } });
  const ids = invitations.map(({ id }) => id);
  if (ids.length > 0) await db.token.deleteMany({ where: { id: { in: ids } } });
  return ids;
}

/** Deletes all tokens of a member; the number of those that had not expired. */
export async function deleteTokens(db: Db, userId: string): Promise<number> {
  const [{ count }] = await db.$queryRaw<[{ count: number }]>`
    WITH "deleted" AS (
      DELETE FROM "Token" WHERE "userId" = ${userId}::uuid
      RETURNING "expiresAt" IS NULL OR "expiresAt" > now() AS "worked"
    )
    SELECT count(*) FILTER (WHERE "worked")::int AS "count" FROM "deleted"`;
  return count;
}

export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** The groups that a member is in, newest first. They are at most as many as an organization may have. */
export function listGroupsOfMember(db: Db, userId: string, take: number): Promise<NamedRow[]> {
  return db.$queryRaw<NamedRow[]>`
    SELECT g."id", g."name" FROM "GroupMember" m JOIN "Group" g ON g."id" = m."groupId"
    WHERE m."userId" = ${userId}::uuid ORDER BY g."id" DESC LIMIT ${take}`;
}

/** The active applications of a member with a client secret, newest first. */
export function listApplicationsWithSecret(
  db: Db,
  ownerUserId: string,
  take: number,
): Promise<NamedRow[]> {
  return db.application.findMany({
    where: { ownerUserId: oneRangeOf(ownerUserId), archivedAt: null, secretHash: { not: null } },
    orderBy: [{ ownerUserId: 'asc' }, { id: 'desc' }],
    take,
    select: { id: true, name: true },
  });
}

/** Also deletes the member's tokens, grants, consents, places in groups, links, browser sessions and connections, by cascade. */
export async function deleteMember(db: Db, id: string): Promise<void> {
  await db.user.delete({ where: { id } });
}

export function listMembers(
  db: Db,
  organizationId: string,
  page: { before: string | undefined; take: number },
): Promise<User[]> {
  return db.user.findMany({
    where: {
      organizationId: oneRangeOf(organizationId),
      ...(page.before ? { id: { lt: page.before } } : {}),
    },
    orderBy: [{ organizationId: 'asc' }, { id: 'desc' }],
    take: page.take,
  });
}

/** Who is in a group, newest member of the organization first. */
export async function listMembersOfGroup(
  db: Db,
  { organizationId, groupId }: { readonly organizationId: string; readonly groupId: string },
  { before, take }: { before: string | undefined; take: number },
): Promise<User[]> {
  const memberships = await db.groupMember.findMany({
    where: {
      groupId: oneRangeOf(groupId),
      ...(before === undefined ? {} : { userId: { lt: before } }),
      user: { organizationId },
    },
    // Both descending: the primary key, read backwards.
    orderBy: [{ groupId: 'desc' }, { userId: 'desc' }],
    take,
    select: { user: true },
  });
  return memberships.map(({ user }) => user);
}
