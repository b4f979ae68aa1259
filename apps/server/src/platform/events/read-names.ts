import { Prisma } from '../../generated/prisma/client.ts';

/** The names that rows have now, by their ids. */
export type Names = ReadonlyMap<string, string>;

/** The names of what an event may be by or about, as far as the rows are there. */
export async function readNames(
  db: Prisma.TransactionClient,
  ids: readonly string[],
): Promise<Names> {
  return namesOf(await db.$queryRaw(selectNames(ids)));
}

export function selectNames(ids: readonly string[]): Prisma.Sql {
  const wanted = `{${[...new Set(ids)].join()}}`;
  return Prisma.sql`
    SELECT "id", "name" FROM "User" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Application" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Integration" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Group" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Token" WHERE "id" = ANY(${wanted}::uuid[])
    UNION ALL SELECT "id", "name" FROM "Organization" WHERE "id" = ANY(${wanted}::uuid[])`;
}

/** @param rows what {@link selectNames} has found */
export function namesOf(rows: unknown): Names {
  const named = rows as readonly { readonly id: string; readonly name: string }[];
  return new Map(named.map(({ id, name }) => [id, name]));
}
