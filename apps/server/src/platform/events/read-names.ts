import type { Prisma } from '../../generated/prisma/client.ts';

/** The names that rows have now, by their ids. */
export type Names = ReadonlyMap<string, string>;

/** The names of what an event may be by or about, as far as the rows are there. */
export async function readNames(
  db: Prisma.TransactionClient,
  ids: readonly string[],
): Promise<Names> {
  const wanted = [...new Set(ids)];
  const rows = await db.$queryRaw<{ readonly id: string; readonly name: string }[]>`
    SELECT "id", "name" FROM "User" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Application" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Integration" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Group" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Token" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Organization" WHERE "id" = ANY(${wanted}::uuid[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
