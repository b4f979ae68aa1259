import { limits } from '@gatehouse/contract';
import type { Tx } from '../../platform/database/store.ts';
import type { PersonActor } from '../actor.ts';

/**
 * Puts a member into the groups that their provider names, and out of its other ones. Names that no group
 * has are ignored, groups without an external id left alone, and full groups not joined. The organization
 * must be locked.
 *
 * @param externalIds as the provider spells them
 * @returns the ids of the full groups
 */
export async function followGroups(
  tx: Tx,
  actor: PersonActor,
  externalIds: readonly string[],
): Promise<readonly string[]> {
  const { userId } = actor;
  // PostgreSQL cannot store NUL, so no group has such a name.
  const named = externalIds.filter((name) => !name.includes('\0'));
  const left = await leaveOthers(tx, userId, named);
  const joined = await joinNamed(tx, actor, named);
  const full = await notJoined(tx, actor, named);
  if (left.length === 0 && joined.length === 0) return full;
  tx.announce({ kind: 'member', id: userId });
  tx.record({ action: 'member.groups_changed', actor, targetId: userId, joined, left });
  return full;
}

interface Row {
  readonly groupId: string;
}

const idsOf = (rows: readonly Row[]): string[] => rows.map(({ groupId }) => groupId).sort();

async function leaveOthers({ db }: Tx, userId: string, named: string[]): Promise<string[]> {
  return idsOf(
    await db.$queryRaw<Row[]>`
    DELETE FROM "GroupMember" m USING "Group" g
    WHERE m."userId" = ${userId}::uuid AND g."id" = m."groupId"
      AND g."externalId" IS NOT NULL AND g."externalId" <> ALL(${named}::text[])
    RETURNING m."groupId"`,
  );
}

async function joinNamed(
  { db }: Tx,
  { organizationId, userId }: PersonActor,
  named: string[],
): Promise<string[]> {
  return idsOf(
    await db.$queryRaw<Row[]>`
    INSERT INTO "GroupMember" ("groupId", "userId", "createdAt")
    SELECT g."id", ${userId}::uuid, now() FROM "Group" g
    WHERE g."organizationId" = ${organizationId}::uuid AND g."externalId" = ANY(${named}::text[])
      AND NOT EXISTS (
        SELECT 1 FROM "GroupMember" m WHERE m."groupId" = g."id" AND m."userId" = ${userId}::uuid)
      AND (SELECT count(*) FROM "GroupMember" m WHERE m."groupId" = g."id") < ${limits.groupMembers}
    RETURNING "groupId"`,
  );
}

async function notJoined(
  { db }: Tx,
  { organizationId, userId }: PersonActor,
  named: string[],
): Promise<string[]> {
  return idsOf(
    await db.$queryRaw<Row[]>`
    SELECT g."id" AS "groupId" FROM "Group" g
    WHERE g."organizationId" = ${organizationId}::uuid AND g."externalId" = ANY(${named}::text[])
      AND NOT EXISTS (
        SELECT 1 FROM "GroupMember" m WHERE m."groupId" = g."id" AND m."userId" = ${userId}::uuid)`,
  );
}
