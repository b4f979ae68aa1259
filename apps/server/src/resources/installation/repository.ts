import type { Db } from '../../platform/database/store.ts';

/** When each of these encryption keys was loaded first, by its id. Null where that is not known. */
export async function readKeyAdditions(
  db: Db,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, Date | null>> {
  const rows = await db.keyCheck.findMany({
    where: { keyId: { in: [...keyIds] } },
    select: { keyId: true, addedAt: true },
  });
  return new Map(rows.map(({ keyId, addedAt }) => [keyId, addedAt]));
}
