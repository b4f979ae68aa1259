import type { Db } from '../../platform/database/store.ts';

/** Whether there is at least one id, and all are of the person's applications, archived ones too. */
export async function ownsAll(
  db: Db,
  ownerUserId: string,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const owned = await db.application.count({ where: { id: { in: [...ids] }, ownerUserId } });
  return owned === new Set(ids).size;
}
